import type { Locale } from '@atoll/contract/wire'
import { UnstyledButton } from '@mantine/core'
import { languageNames } from '../i18n/language-names.ts'
import classes from './OtherLanguage.module.css'

interface OtherLanguageProps {
  current: Locale
  onChoose: (locale: Locale) => void
}

/** The other language, named in itself: for a person who cannot read this one. */
export function OtherLanguage({ current, onChoose }: OtherLanguageProps) {
  return languageNames
    .filter(({ locale }) => locale !== current)
    .map(({ locale, name }) => (
      <UnstyledButton key={locale} className={classes.switch} lang={locale} onClick={() => onChoose(locale)}>
        {name}
      </UnstyledButton>
    ))
}
