import { languageNames } from '@atoll/ui/i18n'
import { useMantineColorScheme } from '@mantine/core'
import { IconClock, IconKey, IconKeyboard, IconLanguage, IconMail } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { appearances } from '../../kit/menu/appearances.ts'
import { chooseLocale } from '../../locales/language.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { PaletteGroup } from './PaletteGroup.tsx'
import { PaletteOption } from './PaletteOption.tsx'
import { usePalette } from './palette-context.ts'

/** Of the profile; found once something is typed. */
const profileSettings = [
  { setting: 'email', icon: IconMail },
  { setting: 'mails', icon: IconMail },
  { setting: 'timeZone', icon: IconClock },
  { setting: 'metricsToken', icon: IconKey },
] as const

interface PaletteSettingsProps {
  onShortcuts: () => void
}

/** Language and appearance, as the header's menus set them, what the profile sets, and the keys. */
export function PaletteSettings({ onShortcuts }: PaletteSettingsProps) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { words } = usePalette()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <PaletteGroup title={t('palette.settings')}>
      {languageNames
        .filter((language) => language.locale !== locale)
        .map((language) => (
          <PaletteOption
            key={language.locale}
            icon={IconLanguage}
            label={language.name}
            lang={language.locale}
            hint={t('shell.language')}
            keywords={t('shell.language')}
            onSelect={() => void chooseLocale(language.locale)}
          />
        ))}
      {appearances
        .filter(({ scheme }) => scheme !== colorScheme)
        .map(({ scheme, icon, label }) => (
          <PaletteOption
            key={scheme}
            icon={icon}
            label={t(label)}
            hint={t('shell.appearance')}
            keywords={t('shell.appearance')}
            onSelect={() => setColorScheme(scheme)}
          />
        ))}
      {words.length > 0 &&
        profileSettings.map(({ setting, icon }) => (
          <PaletteOption
            key={setting}
            icon={icon}
            label={t(`palette.setting.${setting}`)}
            hint={t('shell.profile')}
            keywords={t(`palette.settingWords.${setting}`)}
            onSelect={() => void navigate({ to: '/profile' })}
          />
        ))}
      <PaletteOption icon={IconKeyboard} label={t('shell.shortcuts')} onSelect={onShortcuts} />
    </PaletteGroup>
  )
}
