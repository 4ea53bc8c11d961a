import type { Locale } from '@atoll/contract/wire'
import { languageNames, writeDate } from '@atoll/ui/i18n'
import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { apiHost, serverNow } from '../config/runtime-config.ts'
import { AloneList } from '../kit/page/AloneList.tsx'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { chooseLocale } from '../locales/language.ts'
import { useLocale, useText } from '../locales/text.ts'
import classes from './LanguageListPage.module.css'

/**
 * Chooses the language, without a reload; with it go the figures, and where a host of its own is set, the host (spec
 * §2, §7).
 */
export function LanguageListPage() {
  const t = useText()
  const router = useRouter()
  const locale = useLocale()
  usePageTitle(t('languages.title'))
  const severalHosts = new Set(languageNames.map((language) => apiHost(language.locale))).size > 1

  function leave() {
    if (router.history.canGoBack()) router.history.back()
    else void router.navigate({ to: '/' })
  }
  return (
    <AloneList
      title={t('languages.title')}
      lead={t('languages.lead')}
      actions={
        <Button variant="filled" onClick={leave}>
          {t('languages.done')}
        </Button>
      }
    >
      <fieldset aria-label={t('languages.title')}>
        {languageNames.map((language) => (
          <label key={language.locale} className={classes.row}>
            <input
              type="radio"
              name="language"
              className={classes.input}
              checked={language.locale === locale}
              onChange={() => void chooseLocale(language.locale)}
            />
            <span className={classes.words}>
              <span className={classes.name} lang={language.locale}>
                {language.name}
              </span>
              <span className="small quiet" lang={language.locale}>
                {sample(language.locale)}
                {severalHosts && ` · ${new URL(apiHost(language.locale)).host}`}
              </span>
            </span>
            {language.locale === locale && (
              <IconCheck size={18} stroke={2.2} className={classes.check} aria-hidden="true" />
            )}
          </label>
        ))}
      </fieldset>
    </AloneList>
  )
}

/** Today as `locale` writes it: what choosing it changes besides the words. */
function sample(locale: Locale): string {
  return writeDate(serverNow(), locale, { dateStyle: 'long' })
}
