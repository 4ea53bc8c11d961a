import { languageNames } from '@atoll/ui/i18n'
import { UnstyledButton } from '@mantine/core'
import { chooseLocale } from '../../locales/language.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './LanguageSwitch.module.css'

/**
 * Both languages side by side, each in its own words. Not Mantine's SegmentedControl: that is 4 kB of the sign-in
 * page.
 */
export function LanguageSwitch() {
  const t = useText()
  const current = useLocale()
  return (
    <fieldset className={classes.switch} aria-label={t('shell.language')}>
      {languageNames.map(({ locale, name }) => (
        <UnstyledButton
          key={locale}
          lang={locale}
          className={classes.choice}
          aria-pressed={locale === current}
          onClick={() => void chooseLocale(locale)}
        >
          {name}
        </UnstyledButton>
      ))}
    </fieldset>
  )
}
