import { type Backup, backupCancel, type RunProgress, type Snapshot } from '@atoll/contract/backups'
import { formatBytes, formatFigure, formatPercent } from '@atoll/ui/i18n'
import { DocumentBadge } from '../../billing/shared/DocumentBadge.tsx'
import { lookOf } from '../../billing/shared/document-looks.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { formatStopwatch } from '../../kit/format/stopwatch.ts'
import { formatTime } from '../../kit/format/times.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'
import { runLooks } from '../run-looks.ts'
import { RunStates } from './RunStates.tsx'
import { WaitReason } from './WaitReason.tsx'

interface RunCardProps {
  backup: Backup
  run: Snapshot
  /** Given where its password is missing. */
  onUnlock: (() => void) | undefined
}

/** The run that is under way, live. */
export function RunCard({ backup: { backupId }, run, onUnlock }: RunCardProps) {
  const t = useText()
  const locale = useLocale()
  const cancel = useCallMutation(backupCancel, { toast: true })
  const since = formatTime(run.startedAt ?? run.createdAt, serverNow(), locale)
  return (
    <section className="box" aria-label={t('backups.backup')}>
      <div className={classes.runHead}>
        <span className={classes.runTitle}>
          {t('backups.backup')}
          <span className={classes.runSince}>{t('backups.since', { time: since })}</span>
        </span>
        <DocumentBadge look={lookOf(runLooks, run.state)} bare />
        {run.cancellable ? (
          <ChangeButton size="xs" loading={cancel.isPending} onClick={() => cancel.mutate({ backupId })}>
            {t('backups.cancelRun')}
          </ChangeButton>
        ) : (
          <span className="quiet">{t('backups.canceling')}</span>
        )}
      </div>
      <div className={classes.runBody}>
        {run.progress ? (
          <Progress progress={run.progress} />
        ) : (
          <WaitReason reason={run.reason} what={t('backups.backup')} onUnlock={onUnlock} />
        )}
      </div>
      <RunStates run={run} />
    </section>
  )
}

/** Files and bytes of a run, a restore or a proof, and how long it still takes. `files`: what they are called. */
export function Progress({ progress, files }: { progress: RunProgress; files?: string | undefined }) {
  const t = useText()
  const locale = useLocale()
  const { filesDone, filesTotal, bytesDone, bytesTotal, bytesPerSecond, secondsLeft, unreadFiles } = progress
  const counted = bytesTotal ? bytesDone / bytesTotal : filesTotal ? filesDone / filesTotal : undefined
  const share = counted === undefined ? undefined : Math.min(1, counted)
  const of = (done: string, total: string | undefined) => (total ? t('backups.of', { done, total }) : done)
  const figure = (value: number) => formatFigure(value, 0, locale)
  return (
    <>
      {share !== undefined && (
        <>
          <p className={classes.runShare}>
            {formatPercent(share, locale)}
            {secondsLeft !== null && (
              <span className={classes.runLeft}>
                {t('backups.left', { time: formatStopwatch(secondsLeft * 1000) })}
              </span>
            )}
          </p>
          <div className={classes.bar} aria-hidden="true">
            <i style={{ width: `${share * 100}%` }} />
          </div>
        </>
      )}
      <dl className={classes.runCells}>
        {(filesDone > 0 || !!filesTotal) && (
          <div>
            <dt>{files ?? t('backups.files')}</dt>
            <dd className={classes.figure}>
              {of(figure(filesDone), filesTotal === null ? undefined : figure(filesTotal))}
            </dd>
          </div>
        )}
        {(bytesDone > 0 || !!bytesTotal) && (
          <div>
            <dt>{t('backups.read')}</dt>
            <dd className={classes.figure}>
              {of(formatBytes(bytesDone, locale), bytesTotal === null ? undefined : formatBytes(bytesTotal, locale))}
            </dd>
            {bytesPerSecond !== null && (
              <dd className="tiny quiet">{t('backups.perSecond', { rate: formatBytes(bytesPerSecond, locale) })}</dd>
            )}
          </div>
        )}
        {unreadFiles > 0 && (
          <div>
            <dt>{t('backups.unread')}</dt>
            <dd className={classes.figure} data-tone="amber">
              {t('backups.unreadCount', { count: unreadFiles, files: figure(unreadFiles) })}
            </dd>
          </div>
        )}
      </dl>
    </>
  )
}
