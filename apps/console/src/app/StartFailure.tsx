import { ErrorState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useText } from '../locales/text.ts'
import classes from './page-failure/PageFailure.module.css'

/** The server did not answer at all, so nothing is known: what failed, and a way to try again. */
export function StartFailure() {
  const t = useText()
  return (
    <main className={classes.alone}>
      <ErrorState
        page
        title={t('failure.pageTitle')}
        actions={<Button onClick={() => location.reload()}>{t('failure.retry')}</Button>}
      >
        {t('failure.network')}
      </ErrorState>
    </main>
  )
}
