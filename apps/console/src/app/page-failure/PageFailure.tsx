import { ErrorState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { CopyDetailsButton } from '../../kit/page/CopyDetailsButton.tsx'
import { SupportLink } from '../../kit/site/SupportLink.tsx'
import { useText } from '../../locales/text.ts'

/**
 * How browsers say that the code of a page could not be had; they do not ask for it again until the page is loaded
 * again.
 */
const missingCode = /dynamically imported module|module script/i

/** The error boundary of a page: the shell and the other pages stay usable. */
export function PageFailure({ error: thrown, reset }: ErrorComponentProps) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const t = useText()
  const router = useRouter()
  function retry() {
    if (missingCode.test(error.message)) return location.reload()
    reset()
    void router.invalidate()
  }
  return (
    <ErrorState
      page
      title={t('failure.pageTitle')}
      actions={
        <>
          <Button size="xs" onClick={retry}>
            {t('failure.retry')}
          </Button>
          <Button size="xs" component={Link} to="/">
            {t('notFound.home')}
          </Button>
          <CopyDetailsButton error={error} />
          <SupportLink />
        </>
      }
    >
      {missingCode.test(error.message) ? t('failure.network') : t('failure.page')}
    </ErrorState>
  )
}
