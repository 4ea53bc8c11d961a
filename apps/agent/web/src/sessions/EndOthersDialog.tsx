import { Dialog } from '@atoll/ui'
import { Button } from '@mantine/core'
import { endOtherSessions } from '../api/server.ts'
import classes from '../drive/dialogs/Dialog.module.css'
import { useSubmission } from '../drive/use-submission.ts'
import { useText } from '../i18n/text.ts'

interface EndOthersDialogProps {
  /** How many end. */
  count: number
  onDone(): void
  onClose(): void
}

/** Asks before every other session ends. */
export function EndOthersDialog({ count, onDone, onClose }: EndOthersDialogProps) {
  const t = useText()
  const { busy, problem, submit } = useSubmission(onDone)
  return (
    <Dialog opened onClose={onClose} title={t('sessions.othersTitle')}>
      <div className={classes.form}>
        <p className={classes.words}>{t('sessions.othersText', { count })}</p>
        {problem && (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        )}
        <div className={classes.answers}>
          <Button onClick={onClose} data-autofocus>
            {t('sessions.keep')}
          </Button>
          <Button variant="danger" loading={busy} onClick={() => void submit(endOtherSessions)}>
            {t('sessions.endOthers')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
