import { type Backup, type BackupGrants, backupGoBack, backupGrants, backupUndoGoBack } from '@atoll/contract/backups'
import { Notice } from '@atoll/ui'
import { formatBytes } from '@atoll/ui/i18n'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { Deadline } from '../../kit/figures/Deadline.tsx'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import card from './DamageCard.module.css'
import classes from './HistoryCard.module.css'

/** The newest that are shown: who goes further back asks the operator. */
const mostShown = 10

/** Changes of a backup's store, and the way back to before each: after its machine was taken over. */
export function HistoryCard({ backup: { backupId, name } }: { backup: Backup }) {
  const t = useText()
  const locale = useLocale()
  const { data, error, refetch } = useCall(backupGrants, { backupId })
  const undo = useCallMutation(backupUndoGoBack, { toast: true })
  const now = serverNow()
  const time = (at: string) => formatDayAndTimeWithin(at, now, locale)
  if (!data && error) return <LoadFailure title={t('backups.historyError')} error={error} onRetry={refetch} />
  if (!data || data.grants.length === 0) return null
  const amount = ({ files, bytes }: { files: number; bytes: number }) =>
    t('backups.filesAndSize', { count: files, size: formatBytes(bytes, locale) })
  const wayBack = ({ until, gone }: BackupGrants['grants'][number]) =>
    gone
      ? t('backups.noWayBack', { amount: amount(gone) })
      : until
        ? t('backups.wayBackUntil', { time: formatDeadline(until, now, locale) })
        : t('backups.wayBack')
  const goBack = ({ grantId, at }: BackupGrants['grants'][number]) =>
    confirm({
      title: t('backups.goBackTitle', { name, time: time(at) }),
      lost: [t('backups.goBackText')],
      keep: t('backups.back'),
      act: t('backups.goBackAct'),
      danger: true,
      run: { call: backupGoBack, body: { backupId, grantId } },
    })
  return (
    <section className="box" aria-labelledby="history">
      <div className={card.head}>
        <h2 id="history">{t('backups.history')}</h2>
        <span className="quiet">{t('backups.historyHelp')}</span>
      </div>
      {data.wentBack && (
        <Notice
          tone="amber"
          title={
            <Deadline at={data.wentBack.until} now={now}>
              {t('backups.wentBack', {
                time: time(data.wentBack.at),
                until: formatDeadline(data.wentBack.until, now, locale),
              })}
            </Deadline>
          }
          action={
            <ChangeButton size="xs" loading={undo.isPending} onClick={() => undo.mutate({ backupId })}>
              {t('backups.undoGoBack')}
            </ChangeButton>
          }
        />
      )}
      <ul className={classes.rows}>
        {data.grants.slice(0, mostShown).map((grant) => (
          <li key={grant.grantId}>
            <div>
              <p>
                {t(grant.snapshotId ? 'backups.storeRun' : 'backups.storeChore', { time: time(grant.at) })}{' '}
                <code className="tiny quiet">{grant.grantId}</code>
              </p>
              <p className="tiny quiet">
                {t('backups.storeChanged', { stored: amount(grant.stored), taken: amount(grant.taken) })}
              </p>
            </div>
            <div className={classes.way}>
              <span className="small">{wayBack(grant)}</span>
              {!grant.gone && (
                <ChangeButton size="xs" onClick={() => goBack(grant)}>
                  {t('backups.goBack', { time: time(grant.at) })}
                </ChangeButton>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
