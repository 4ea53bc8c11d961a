import {
  type Backup,
  type BackupMachine,
  backupDelete,
  backupPause,
  backupProve,
  backupRun,
  backupUndelete,
  type DamagedFile,
  leastKeptHours,
  type ProofWork,
  type Restore,
  type Snapshot,
} from '@atoll/contract/backups'
import { Notice, PageHeader } from '@atoll/ui'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { DocumentBadge } from '../../billing/shared/DocumentBadge.tsx'
import { lookOf } from '../../billing/shared/document-looks.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { Deadline } from '../../kit/figures/Deadline.tsx'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { MachineNotice } from '../dialogs/NewBackupDialog.tsx'
import { RestoreDialog } from '../dialogs/RestoreDialog.tsx'
import { UnlockDialog } from '../dialogs/UnlockDialog.tsx'
import { FilesLink } from '../FilesLink.tsx'
import { planWords } from '../plan-clock.ts'
import { pathsWords } from '../plan-words.ts'
import { damagedLook, runLooks } from '../run-looks.ts'
import { AlarmNotice } from './AlarmNotice.tsx'
import { BackupFigures } from './BackupFigures.tsx'
import { DamageCard } from './DamageCard.tsx'
import { HistoryCard } from './HistoryCard.tsx'
import { MoveNotice } from './MoveNotice.tsx'
import { PlanRows } from './PlanRows.tsx'
import { ProofCard } from './ProofCard.tsx'
import { RestoreCard } from './RestoreCard.tsx'
import { RunCard } from './RunCard.tsx'
import { SizeChart } from './SizeChart.tsx'
import { SnapshotTable } from './SnapshotTable.tsx'

interface BackupViewProps {
  backup: Backup
  machine: BackupMachine | null
  restores: Restore[]
  proving: ProofWork | null
  damaged: DamagedFile[]
  shortOfRoom: boolean
}

export function BackupView({ backup, machine, restores, proving, damaged, shortOfRoom }: BackupViewProps) {
  const t = useText()
  const locale = useLocale()
  const [isUnlocking, setUnlocking] = useState(false)
  const [restoring, setRestoring] = useState<Snapshot>()
  const { backupId, name, clusterName, newest, newestKept, actions, state } = backup
  const { needsPassword, passwordChange, deletedAt, proof } = backup
  const run = useCallMutation(backupRun, { toast: true })
  const pause = useCallMutation(backupPause, { toast: true })
  const prove = useCallMutation(backupProve, { toast: true })
  const undelete = useCallMutation(backupUndelete, { toast: true })
  const can = (action: Backup['actions'][number]) => actions.includes(action)
  const isRunning = newest !== null && newest.endedAt === null
  const now = serverNow()
  const unlock = () => setUnlocking(true)
  const onUnlock = needsPassword && state !== 'deleting' ? unlock : undefined
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
        badge={
          proof.damage ? (
            <DocumentBadge look={damagedLook} />
          ) : (
            isRunning && <DocumentBadge look={lookOf(runLooks, newest.state)} />
          )
        }
        actions={
          <>
            {can('delete') && (
              <ChangeButton variant="dangerOutline" onClick={remove}>
                {t('backups.delete')}
              </ChangeButton>
            )}
            {(can('pause') || can('resume')) && (
              <ChangeButton loading={pause.isPending} onClick={() => pause.mutate({ backupId, paused: can('pause') })}>
                {t(can('pause') ? 'backups.pause' : 'backups.resume')}
              </ChangeButton>
            )}
            {can('prove') && (
              <ChangeButton
                loading={prove.isPending}
                leftSection={<IconShieldCheck size={17} stroke={1.6} aria-hidden="true" />}
                onClick={() => prove.mutate({ backupId })}
              >
                {t('backups.proveNow')}
              </ChangeButton>
            )}
            {newestKept !== null && state !== 'deleting' && <FilesLink backupId={backupId} snapshotId={newestKept} />}
            {can('run') && (
              <ChangeButton
                variant="filled"
                loading={run.isPending}
                onClick={() => (needsPassword ? unlock() : run.mutate({ backupId }))}
              >
                {t('backups.runNow')}
              </ChangeButton>
            )}
          </>
        }
      >
        {[clusterName, pathsWords(backup, t), planWords(backup, now, t, locale), t('backups.encrypted')].join(
          t('money.dot'),
        )}
      </PageHeader>
      <div className="stack">
        {state === 'deleting' && deletedAt && (
          <Notice
            tone="amber"
            title={
              <Deadline at={deletedAt} now={now}>
                {t('backups.deletingText', { time: formatDeadline(deletedAt, now, locale) })}
              </Deadline>
            }
            action={
              <ChangeButton size="xs" loading={undelete.isPending} onClick={() => undelete.mutate({ backupId })}>
                {t('backups.undelete')}
              </ChangeButton>
            }
          />
        )}
        {machine && state !== 'deleting' && <MachineNotice machine={machine} />}
        {needsPassword && state !== 'deleting' && (
          <Notice
            tone="coral"
            title={t('backups.needsPassword', { cluster: clusterName })}
            action={
              <ChangeButton size="xs" onClick={unlock}>
                {t('backups.enterPassword')}
              </ChangeButton>
            }
          />
        )}
        {passwordChange && state !== 'deleting' && (
          <Notice
            tone={passwordChange.isWanted ? 'amber' : 'coral'}
            title={t(passwordChange.isWanted ? 'backups.passwordChanges' : 'backups.passwordUnchanged')}
          >
            {passwordChange.isWanted ? t('backups.passwordBoth', { cluster: clusterName }) : passwordChange.reason}
          </Notice>
        )}
        {proof.damage && state !== 'deleting' && (
          <Notice tone="coral" title={t('backups.damagedTitle')}>
            {proof.damage.reason} {t('backups.damagedText', { cluster: clusterName })}
          </Notice>
        )}
        {state !== 'deleting' && <AlarmNotice backup={backup} />}
        {state !== 'deleting' && <MoveNotice backup={backup} />}
        {shortOfRoom && (
          <Notice tone="amber" title={t('backups.shortTitle')}>
            {t('backups.shortText', { hours: leastKeptHours })}
          </Notice>
        )}
        {proof.reason && proof.state === null && state !== 'deleting' && (
          <Notice tone="amber" title={t('backups.proveFailed')}>
            {proof.reason}
          </Notice>
        )}
        {isRunning && <RunCard backup={backup} run={newest} onUnlock={onUnlock} />}
        {proving && state !== 'deleting' && <ProofCard backup={backup} proving={proving} onUnlock={onUnlock} />}
        {restores[0] && <RestoreCard backup={backup} restore={restores[0]} onUnlock={onUnlock} />}
        <BackupFigures backup={backup} />
        {state !== 'deleting' && <DamageCard damaged={damaged} />}
        <SizeChart backup={backup} />
        {state !== 'deleting' && <PlanRows backup={backup} machine={machine} />}
        <SnapshotTable backup={backup} onRestore={can('restore') ? setRestoring : undefined} />
        {state !== 'deleting' && <HistoryCard backup={backup} />}
      </div>
      {isUnlocking && <UnlockDialog backup={backup} machine={machine} onClose={() => setUnlocking(false)} />}
      {restoring && (
        <RestoreDialog
          backup={backup}
          machine={machine}
          snapshot={restoring}
          canChoose
          onClose={() => setRestoring(undefined)}
        />
      )}
    </>
  )
}
