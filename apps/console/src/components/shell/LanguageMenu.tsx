import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { chooseLocale } from '../../i18n/language.ts'
import { useLocale, useText } from '../../i18n/text.ts'
import { languageNames } from '../language-names.ts'
import { ChoiceItem } from './ChoiceItem.tsx'

/** Chooses the language. */
export function LanguageMenu() {
  const t = useText()
  const current = useLocale()
  return (
    <Menu position="bottom-end">
      <Tooltip label={t('shell.language')}>
        <Menu.Target>
          <ActionIcon aria-label={t('shell.language')}>
            <IconLanguage size={18} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {languageNames.map(({ locale, name }) => (
          <ChoiceItem key={locale} lang={locale} chosen={locale === current} onChoose={() => void chooseLocale(locale)}>
            {name}
          </ChoiceItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
