import { ErrorState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProblemText } from '../api/use-problem-text.ts'
import { useText } from '../i18n/text.ts'

interface LoadFailedProps {
  title: string
  error: unknown
  /** It is all that the page shows. */
  page?: boolean
  /** Actions besides trying again. */
  children?: ReactNode
}

/** The part that could not be loaded, the reason, and another try. */
export function LoadFailed({ title, error, page = false, children }: LoadFailedProps) {
  const t = useText()
  const problemText = useProblemText()
  const router = useRouter()
  return (
    <ErrorState
      page={page}
      title={title}
      actions={
        <>
          <Button size="xs" onClick={() => void router.invalidate()}>
            {t('act.retry')}
          </Button>
          {children}
        </>
      }
    >
      {problemText(error)}
    </ErrorState>
  )
}
