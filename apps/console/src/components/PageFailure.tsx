import { ErrorState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useText } from '../i18n/text.ts'
import { CopyDetailsButton } from './CopyDetailsButton.tsx'

/** The error boundary of a page: the shell and the other pages stay usable. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const t = useText()
  const router = useRouter()
  return (
    <ErrorState
      title={t('failure.pageTitle')}
      actions={
        <>
          <Button
            size="xs"
            onClick={() => {
              reset()
              void router.invalidate()
            }}
          >
            {t('failure.retry')}
          </Button>
          <CopyDetailsButton error={error instanceof Error ? error : new Error(String(error))} />
        </>
      }
    >
      {t('failure.page')}
    </ErrorState>
  )
}
