import { ErrorState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { ApiProblem } from '../api/call.ts'
import { useProblemText } from '../api/use-problem-text.ts'
import { useText } from '../i18n/text.ts'
import classes from './Backups.module.css'
import { UnlockForm } from './UnlockForm.tsx'

interface BackupsFailedProps {
  error: unknown
  /** Whose password to ask for where that is all that is missing. */
  backupId?: string
}

/** What of backups could not be read, why, and what to do. */
export function BackupsFailed({ error, backupId }: BackupsFailedProps) {
  const t = useText()
  const problemText = useProblemText()
  const router = useRouter()
  const retry = () => void router.invalidate()
  if (backupId !== undefined && error instanceof ApiProblem && error.code === 'backupLocked')
    return (
      <section>
        <h1>{t('backups.lockedTitle')}</h1>
        <div className={classes.backup}>
          <div className={classes.card}>
            <UnlockForm backupId={backupId} onDone={retry} />
          </div>
        </div>
      </section>
    )
  return (
    <ErrorState
      page
      title={t('backups.failedTitle')}
      actions={
        <>
          <Button size="xs" onClick={retry}>
            {t('act.retry')}
          </Button>
          {backupId !== undefined && (
            <Button size="xs" variant="subtle" renderRoot={(props) => <Link to="/backups" {...props} />}>
              {t('backups.title')}
            </Button>
          )}
        </>
      }
    >
      {problemText(error)}
    </ErrorState>
  )
}
