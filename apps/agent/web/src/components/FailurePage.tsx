import { machineRefusals } from '@atoll/contract/personal-server'
import { ErrorState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ApiProblem } from '../api/call.ts'
import { useProblemText } from '../api/use-problem-text.ts'
import { useText } from '../i18n/text.ts'
import { forgetServerState } from '../server-state.ts'
import classes from './MessagePage.module.css'

/** A page that could not be shown: what the server said, and another try. */
export function FailurePage({ error, reset }: ErrorComponentProps) {
  const t = useText()
  const problemText = useProblemText()
  const router = useRouter()
  const isRefused = error instanceof ApiProblem && machineRefusals.some((refusal) => refusal === error.code)
  const retry = async () => {
    forgetServerState()
    await router.invalidate()
    reset()
  }
  return (
    <main className={classes.page}>
      <ErrorState
        title={t(isRefused ? 'failure.refusedTitle' : 'failure.title')}
        actions={
          <Button size="xs" onClick={() => void retry()}>
            {t('act.retry')}
          </Button>
        }
      >
        {problemText(error)}
      </ErrorState>
    </main>
  )
}
