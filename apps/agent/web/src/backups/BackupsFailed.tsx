import { Button } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { ApiProblem } from '../api/call.ts'
import { LoadFailed } from '../components/LoadFailed.tsx'
import { useText } from '../i18n/text.ts'
import classes from './Backups.module.css'
import { UnlockForm } from './UnlockForm.tsx'

interface BackupsFailedProps {
  error: unknown
  /** Whose password to ask for where that is all that is missing. */
  backupId?: string
}

/** The part of backups that could not be read, the reason, and the next step. */
export function BackupsFailed({ error, backupId }: BackupsFailedProps) {
  const t = useText()
  const router = useRouter()
  if (backupId !== undefined && error instanceof ApiProblem && error.code === 'backupLocked')
    return (
      <section>
        <h1>{t('backups.lockedTitle')}</h1>
        <div className={classes.backup}>
          <div className={classes.card}>
            <UnlockForm backupId={backupId} onDone={() => void router.invalidate()} />
          </div>
        </div>
      </section>
    )
  return (
    <LoadFailed page title={t('backups.failedTitle')} error={error}>
      {backupId !== undefined && (
        <Button size="xs" variant="subtle" renderRoot={(props) => <Link to="/backups" {...props} />}>
          {t('backups.title')}
        </Button>
      )}
    </LoadFailed>
  )
}
