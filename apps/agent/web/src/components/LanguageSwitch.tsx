import { locales } from '@atoll/contract'
import { UnstyledButton } from '@mantine/core'
import { chooseLocale, currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import classes from './LanguageSwitch.module.css'

/** The other language, named in itself: for a person who cannot read this one. */
export function LanguageSwitch() {
  const t = useText()
  const other = locales.find((locale) => locale !== currentLocale()) ?? locales[0]
  return (
    <UnstyledButton className={classes.switch} lang={other} onClick={() => void chooseLocale(other)}>
      {t(`nav.languages.${other}`)}
    </UnstyledButton>
  )
}
