import { languageNames } from '@atoll/ui/i18n'
import { useMantineColorScheme } from '@mantine/core'
import { IconKeyboard, IconLanguage } from '@tabler/icons-react'
import { appearances } from '../../kit/menu/appearances.ts'
import { chooseLocale } from '../../locales/language.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { PaletteGroup } from './PaletteGroup.tsx'
import { PaletteOption } from './PaletteOption.tsx'

interface PaletteSettingsProps {
  onShortcuts: () => void
}

/** Language and appearance, as the header's menus set them, and the keys. */
export function PaletteSettings({ onShortcuts }: PaletteSettingsProps) {
  const t = useText()
  const locale = useLocale()
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
      <PaletteOption icon={IconKeyboard} label={t('shell.shortcuts')} onSelect={onShortcuts} />
    </PaletteGroup>
  )
}
