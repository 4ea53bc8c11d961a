import {
  type Backup,
  type BackupMachine,
  backupDelete,
  backupPause,
  backupRun,
  backupUndelete,
  type Restore,
  type Snapshot,
} from '@atoll/contract/backups'
import { Notice, PageHeader } from '@atoll/ui'
import { formatBytes } from '@atoll/ui/i18n'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { serverNow } from '../../data/config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { formatDayAndTime, formatTime } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../kit/i18n/text.ts'
import { DocumentBadge } from '../../money/DocumentBadge.tsx'
import classes from '../Backups.module.css'
import { MachineNotice } from '../dialogs/NewBackupDialog.tsx'
import { RestoreDialog } from '../dialogs/RestoreDialog.tsx'
import { UnlockDialog } from '../dialogs/UnlockDialog.tsx'
import { pathsWords, scheduleWords } from '../plan-words.ts'
import { runLooks } from '../run-looks.ts'
import { RestoreCard } from './RestoreCard.tsx'
import { RunCard } from './RunCard.tsx'
import { SnapshotTable } from './SnapshotTable.tsx'

interface BackupViewProps {
  backup: Backup
  machine: BackupMachine | null
  restores: Restore[]
}

export function BackupView({ backup, machine, restores }: BackupViewProps) {
  const t = useText()
  const locale = useLocale()
  const [isUnlocking, setUnlocking] = useState(false)
  const [restoring, setRestoring] = useState<Snapshot>()
  const { backupId, name, clusterName, newest, actions, state, needsPassword, deletedAt } = backup
  const run = useCallMutation(backupRun, { toast: true })
  const pause = useCallMutation(backupPause, { toast: true })
  const undelete = useCallMutation(backupUndelete, { toast: true })
  const can = (action: Backup['actions'][number]) => actions.includes(action)
  const isRunning = newest !== null && newest.endedAt === null
  const now = serverNow()
  const remove = () =>
    confirm({
      title: t('backups.deleteTitle', { name }),
      lost: [t('backups.deleteText')],
      keep: t('backups.keepBackup'),
      act: t('backups.delete'),
      danger: true,
      run: { call: backupDelete, body: { backupId } },
    })
  return (
    <>
      <PageHeader
        title={name}
        badge={isRunning && <DocumentBadge look={runLooks[newest.state]} />}
        actions={
          <>
            {can('delete') && (
              <Button variant="dangerOutline" onClick={remove}>
                {t('backups.delete')}
              </Button>
            )}
            {(can('pause') || can('resume')) && (
              <Button loading={pause.isPending} onClick={() => pause.mutate({ backupId, paused: can('pause') })}>
                {t(can('pause') ? 'backups.pause' : 'backups.resume')}
              </Button>
            )}
            {can('run') && (
              <Button
                variant="filled"
                loading={run.isPending}
                onClick={() => (needsPassword ? setUnlocking(true) : run.mutate({ backupId }))}
              >
                {t('backups.runNow')}
              </Button>
            )}
          </>
        }
      >
        {[clusterName, pathsWords(backup, t), scheduleWords(backup.schedule, t, locale), t('backups.encrypted')].join(
          t('money.dot'),
        )}
      </PageHeader>
      <div className={classes.parts}>
        {state === 'deleting' && deletedAt && (
          <Notice
            tone="amber"
            title={t('backups.deletingText', { time: formatTime(deletedAt, now, locale) })}
            action={
              <Button size="xs" loading={undelete.isPending} onClick={() => undelete.mutate({ backupId })}>
                {t('backups.undelete')}
              </Button>
            }
          />
        )}
        {machine && state !== 'deleting' && <MachineNotice machine={machine} />}
        {needsPassword && state !== 'deleting' && (
          <Notice
            tone="coral"
            title={t('backups.needsPassword', { cluster: clusterName })}
            action={
              <Button size="xs" onClick={() => setUnlocking(true)}>
                {t('backups.enterPassword')}
              </Button>
            }
          />
        )}
        {isRunning && <RunCard backup={backup} run={newest} />}
        {restores[0] && <RestoreCard backup={backup} restore={restores[0]} />}
        <Figures backup={backup} now={now} />
        <SnapshotTable backup={backup} onRestore={can('restore') ? setRestoring : undefined} />
      </div>
      {isUnlocking && <UnlockDialog backup={backup} machine={machine} onClose={() => setUnlocking(false)} />}
      {restoring && (
        <RestoreDialog backup={backup} machine={machine} snapshot={restoring} onClose={() => setRestoring(undefined)} />
      )}
    </>
  )
}

function Figures({ backup, now }: { backup: Backup; now: number }) {
  const t = useText()
  const locale = useLocale()
  const { size, snapshots, oldestAt, lastCompletedAt, nextAt, state, timeZone } = backup
  const time = (at: string | null) => (at ? formatDayAndTime(at, now, locale) : t('backups.none'))
  return (
    <section className={classes.card} aria-label={t('backups.figures')}>
      <dl className={classes.cells}>
        <div>
          <dt>{t('backups.stored')}</dt>
          <dd className={classes.figure}>{formatBytes(size, locale)}</dd>
        </div>
        <div>
          <dt>{t('backups.snapshots')}</dt>
          <dd className={classes.figure}>{snapshots}</dd>
          {oldestAt && <dd className={classes.detail}>{t('backups.oldest', { time: time(oldestAt) })}</dd>}
        </div>
        <div>
          <dt>{t('backups.lastGood')}</dt>
          <dd className={classes.figure}>{time(lastCompletedAt)}</dd>
        </div>
        <div>
          <dt>{t('backups.next')}</dt>
          <dd className={classes.figure}>{state === 'paused' ? t('backups.paused') : time(nextAt)}</dd>
          <dd className={classes.detail}>{timeZone}</dd>
        </div>
      </dl>
    </section>
  )
}
