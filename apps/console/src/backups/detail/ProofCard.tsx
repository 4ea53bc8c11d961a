import { type Backup, backupCancel, type ProofWork } from '@atoll/contract/backups'
import { DocumentBadge } from '../../billing/shared/DocumentBadge.tsx'
import { lookOf } from '../../billing/shared/document-looks.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { formatTime } from '../../kit/format/times.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { runLooks } from '../run-looks.ts'
import { Progress } from './RunCard.tsx'
import { WaitReason } from './WaitReason.tsx'

interface ProofCardProps {
  backup: Backup
  proving: ProofWork
  /** Given where its password is missing. */
  onUnlock: (() => void) | undefined
}

/** The proof that is under way or waits, live: which one, since when, and how far it is. */
export function ProofCard({ backup: { backupId }, proving, onUnlock }: ProofCardProps) {
  const t = useText()
  const locale = useLocale()
  const cancel = useCallMutation(backupCancel, { toast: true })
  const { stage, since, part, drillStep, reason, progress, cancellable, cancelAsked } = proving
  const title = part
    ? t('backups.proofStage.readingPart', part)
    : stage === 'drilling'
      ? t(`backups.drillStep.${drillStep ?? 'sameHost'}`)
      : t(`backups.proofStage.${stage}`)
  return (
    <section className="box" aria-label={title}>
      <div className={classes.runHead}>
        <span className={classes.runTitle}>
          {title}
          <span className={classes.runSince}>
            {t('backups.since', { time: formatTime(since, serverNow(), locale) })}
          </span>
        </span>
        <DocumentBadge look={lookOf(runLooks, stage === 'asked' ? 'Pending' : 'Running')} bare />
        {cancellable && (
          <ChangeButton size="xs" loading={cancel.isPending} onClick={() => cancel.mutate({ backupId, proof: true })}>
            {t('backups.cancelRun')}
          </ChangeButton>
        )}
        {cancelAsked && <span className="quiet">{t('backups.canceling')}</span>}
      </div>
      <div className={classes.runBody}>
        {progress ? (
          <Progress progress={progress} files={stage === 'drilling' ? undefined : t('backups.storedFiles')} />
        ) : (
          <WaitReason reason={reason} what={title} onUnlock={onUnlock} />
        )}
      </div>
    </section>
  )
}
