import { type Backup, backupMove } from '@atoll/contract/backups'
import { Notice } from '@atoll/ui'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useText } from '../../locales/text.ts'

/** A cluster that was made of the backup is active, and its own is still there: to which does the plan belong? */
export function MoveNotice({ backup: { backupId, clusterName, moveTo } }: { backup: Backup }) {
  const t = useText()
  const answer = useCallMutation(backupMove, { toast: true })
  if (!moveTo) return null
  const { clusterName: to } = moveTo
  return (
    <Notice
      tone="amber"
      title={t('backups.moveTitle', { to })}
      action={
        <div className="buttons">
          <ChangeButton size="xs" loading={answer.isPending} onClick={() => answer.mutate({ backupId, move: false })}>
            {t('backups.moveStay', { from: clusterName })}
          </ChangeButton>
          <ChangeButton
            size="xs"
            variant="filled"
            loading={answer.isPending}
            onClick={() => answer.mutate({ backupId, move: true })}
          >
            {t('backups.moveDo', { to })}
          </ChangeButton>
        </div>
      }
    >
      {t('backups.moveText', { from: clusterName, to })}
    </Notice>
  )
}
