import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'

interface WaitReasonProps {
  reason: string | null
  /** Of what it is the reason. */
  what: string
  /** Given where the password of the backup is what it waits for. */
  onUnlock: (() => void) | undefined
}

/** Why a run, a restore or a proof has not begun, with the way to enter the password that it waits for. */
export function WaitReason({ reason, what, onUnlock }: WaitReasonProps) {
  const t = useText()
  return (
    <div className={classes.waits}>
      <p className="quiet">{reason ?? t('backups.beginning')}</p>
      {onUnlock && (
        <ChangeButton
          size="xs"
          aria-label={t('common.labelled', { label: what, value: t('backups.enterPassword') })}
          onClick={onUnlock}
        >
          {t('backups.enterPassword')}
        </ChangeButton>
      )}
    </div>
  )
}
