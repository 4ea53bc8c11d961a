import { type Backup, backupCancel, type Restore } from '@atoll/contract/backups'
import { Notice } from '@atoll/ui'
import { formatBytes } from '@atoll/ui/i18n'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { DocumentBadge } from '../../billing/shared/DocumentBadge.tsx'
import { lookOf } from '../../billing/shared/document-looks.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { sentenceGap } from '../../locales/sentence-gap.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { countFiles } from '../plan-words.ts'
import { runLooks } from '../run-looks.ts'
import { Progress } from './RunCard.tsx'
import { WaitReason } from './WaitReason.tsx'

/** How long the end of a restore is shown, ms. */
const shownMs = 24 * 3600_000

interface RestoreCardProps {
  backup: Backup
  restore: Restore
  /** Given where its password is missing. */
  onUnlock: (() => void) | undefined
}

/** The newest restore: live while it is under way, then for a day what came of it. */
export function RestoreCard({ backup: { backupId }, restore, onUnlock }: RestoreCardProps) {
  const t = useText()
  const locale = useLocale()
  const cancel = useCallMutation(backupCancel, { toast: true })
  const {
    restoreId,
    state,
    folder,
    endedAt,
    reason,
    progress,
    snapshotAt,
    files,
    size,
    cancellable,
    target,
    kept,
    way,
  } = restore
  const now = serverNow()
  const time = formatDayAndTimeWithin(snapshotAt, now, locale)
  const title = target
    ? t('backups.restoringOn', { time, cluster: target.clusterName })
    : t('backups.restoreOf', { time })
  if (endedAt !== null) {
    if (now - Date.parse(endedAt) > shownMs || state === 'Canceled') return null
    if (state === 'Failed') {
      return (
        <Notice tone="coral" title={t('backups.restoreFailed')}>
          {reason}
        </Notice>
      )
    }
    const figures = { ...countFiles(files, locale), size: formatBytes(size ?? 0, locale) }
    return (
      <Notice tone={reason === null ? 'green' : 'amber'} title={t('backups.restored', figures)}>
        {target && t('backups.restoredCluster', { cluster: target.clusterName })}
        {target && folder !== null && sentenceGap(locale)}
        {target && folder === null
          ? null
          : folder === null
            ? t(way === 'beside' ? 'backups.restoredBeside' : 'backups.restoredInPlace')
            : t('backups.restoredIn', { folder })}
        {reason !== null && <p>{reason}</p>}
        {kept && (
          <p>
            {kept.isWhole
              ? t('backups.keptWhole', { folder: kept.folder })
              : t('backups.kept', { folder: kept.folder, ...countFiles(kept.files, locale) })}
          </p>
        )}
      </Notice>
    )
  }
  return (
    <section className="box" aria-label={title}>
      <div className={classes.runHead}>
        <span className={classes.runTitle}>{title}</span>
        <DocumentBadge look={lookOf(runLooks, state)} bare />
        {target && (
          <Button
            size="xs"
            renderRoot={(props) => (
              <Link {...props} to="/cluster/$clusterId" params={{ clusterId: target.clusterId }} />
            )}
          >
            {t(restore.needsPassword && way === 'newCluster' ? 'backups.enterPassword' : 'backups.openCluster')}
          </Button>
        )}
        {cancellable && way !== 'newCluster' && (
          <ChangeButton size="xs" loading={cancel.isPending} onClick={() => cancel.mutate({ backupId, restoreId })}>
            {t('backups.cancelRun')}
          </ChangeButton>
        )}
      </div>
      <div className={classes.runBody}>
        {progress ? (
          <Progress progress={progress} />
        ) : (
          <WaitReason reason={reason} what={title} onUnlock={target ? undefined : onUnlock} />
        )}
      </div>
    </section>
  )
}
