import { languageNames } from '@atoll/ui/i18n'
import { IconLanguage } from '@tabler/icons-react'
import { chooseLocale } from '../../locales/language.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { HeaderChoice } from './HeaderChoice.tsx'

/** Chooses the language. */
export function LanguageMenu() {
  const t = useText()
  return (
    <HeaderChoice
      label={t('shell.language')}
      icon={IconLanguage}
      value={useLocale()}
      choices={languageNames.map(({ locale, name }) => ({ value: locale, label: name, lang: locale }))}
      onChoose={(locale) => void chooseLocale(locale)}
    />
  )
}
