/** Backups as clients see them: the only place where rows become JSON. */
import { BackupProgress } from '@atoll/contract/agents'
import type { Backup, BackupAlarm, BackupProof, Restore, RunProgress, Snapshot } from '@atoll/contract/backups'
import type { Locale } from '@atoll/contract/wire'
import type { AgentTask } from '../../agents/index.ts'
import type { ProofState } from '../records/proof-store.ts'
import { isPinned } from '../rules/pin.ts'
import { describeReason } from '../rules/reason-text.ts'
import type { BackupRow, RestoreRow, SnapshotRow } from '../tables.ts'

export interface ToldOfRun {
  task: AgentTask | undefined
  proof: Snapshot['proof']
  locale: Locale
  at: Date
  /** Of a forgotten one: until when it can be taken back. Undefined: it cannot. */
  takeBackUntil: Date | undefined
}

export function snapshotJson(row: SnapshotRow, { task, proof, locale, at, takeBackUntil }: ToldOfRun): Snapshot {
  const isOpen = row.ended_at === null
  const isKept = row.state === 'Completed' && row.forgotten_at === null
  const hasPin = isPinned(row, at)
  return {
    snapshotId: row.id,
    kind: row.kind,
    state: row.state,
    scheduledFor: row.scheduled_for?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    runningAt: row.running_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    size: row.size,
    newBytes: row.new_bytes,
    files: row.files,
    unreadFiles: row.unread_files,
    reason: describeReason(row.reason, locale),
    progress: isOpen ? progressOf(task) : null,
    proof,
    restorable: isKept,
    pin: hasPin ? { until: row.pinned_until?.toISOString() ?? null } : null,
    forgotten: row.forgotten_at
      ? { at: row.forgotten_at.toISOString(), until: takeBackUntil?.toISOString() ?? null }
      : null,
    actions: isKept ? [hasPin ? 'unpin' : 'pin', 'forget'] : row.forgotten_at && takeBackUntil ? ['takeBack'] : [],
    cancellable: isOpen && !row.cancel_asked,
    cancelAsked: isOpen && row.cancel_asked,
  }
}

export function restoreJson(
  row: RestoreRow & { snapshot_at: Date; target_name: string | null },
  task: AgentTask | undefined,
  locale: Locale,
): Restore {
  const isOpen = row.ended_at === null
  const target = row.target_cluster_id ?? row.reader_cluster_id
  return {
    restoreId: row.id,
    snapshotId: row.snapshot_id,
    snapshotAt: row.snapshot_at.toISOString(),
    way: row.way,
    target: target === null ? null : { clusterId: target, clusterName: row.target_name ?? '' },
    state: row.state,
    folder: row.folder,
    kept:
      row.kept_folder === null
        ? null
        : { folder: row.kept_folder, files: row.kept_files ?? 0, isWhole: row.kept_whole },
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    files: row.files,
    size: row.size,
    reason: describeReason(row.reason, locale),
    needsPassword: row.needs_password,
    progress: isOpen ? progressOf(task) : null,
    cancellable: isOpen && !row.cancel_asked,
  }
}

/** Totals that nobody knows yet come as 0. */
export function progressOf(task: AgentTask | undefined): RunProgress | null {
  const said = BackupProgress.safeParse(task?.progress)
  if (!said.success) return null
  const { filesTotal, bytesTotal, unreadFiles = 0, ...rest } = said.data
  return { ...rest, unreadFiles, filesTotal: filesTotal || null, bytesTotal: bytesTotal || null }
}

export interface BackupFigures {
  clusterName: string
  /** The cluster is not gone. */
  hasCluster: boolean
  size: number
  snapshots: number
  oldestAt: Date | null
  newestKept: string | null
  lastCompletedAt: Date | null
  newest: Snapshot | null
  isRestoring: boolean
  moveTo: Backup['moveTo']
  /** For a backup that is being deleted: until when it can be taken back. */
  deletedAt: Date | null
  proof: ProofState
  locale: Locale
}

export function backupJson(row: BackupRow, figures: BackupFigures): Backup {
  const { clusterName, size, snapshots, oldestAt, newestKept, lastCompletedAt, newest } = figures
  return {
    backupId: row.id,
    clusterId: row.cluster_id,
    clusterName,
    name: row.name,
    state: row.state,
    paths: row.paths,
    schedule: row.schedule,
    timeZone: row.time_zone,
    keep: row.keep,
    nextAt: row.next_at?.toISOString() ?? null,
    deletedAt: figures.deletedAt?.toISOString() ?? null,
    size,
    snapshots,
    oldestAt: oldestAt?.toISOString() ?? null,
    needsPassword: row.password === 'missing' || row.password === 'wrong',
    passwordChange:
      row.new_box === null && row.new_box_reason === null
        ? null
        : { isWanted: row.new_box !== null, reason: describeReason(row.new_box_reason, figures.locale) },
    newest,
    newestKept,
    lastCompletedAt: lastCompletedAt?.toISOString() ?? null,
    proof: proofJson(row, figures),
    alarm: alarmJson(row),
    moveTo: figures.moveTo,
    actions: actionsOf(row, figures),
  }
}

function proofJson(row: BackupRow, { proof, locale }: BackupFigures): BackupProof {
  const { readAt, drill, drillMissed, damage } = proof
  return {
    readAt: row.damaged_at === null ? (readAt?.toISOString() ?? null) : null,
    drill: drill
      ? {
          at: drill.at.toISOString(),
          passed: drill.passed,
          files: drill.files,
          equal: drill.equal,
          reason: describeReason(drill.reason, locale),
          sameHost: !drill.elsewhere,
        }
      : null,
    drillMissed: drillMissed
      ? { at: drillMissed.at.toISOString(), reason: describeReason(drillMissed.reason, locale) ?? '' }
      : null,
    damage:
      row.damaged_at && damage
        ? { at: damage.at.toISOString(), reason: describeReason(damage.reason, locale) ?? '' }
        : null,
    state: row.prove_state,
    reason: describeReason(row.prove_reason, locale),
  }
}

function alarmJson({
  alarm: kind,
  alarm_at,
  alarm_snapshot_id,
  alarm_share,
  alarm_held,
}: BackupRow): BackupAlarm | null {
  if (kind === null || alarm_at === null || alarm_snapshot_id === null) return null
  const at = alarm_at.toISOString()
  return { kind, at, snapshotId: alarm_snapshot_id, percent: alarm_share ?? 0, held: alarm_held }
}

function actionsOf(row: BackupRow, { hasCluster, newest, snapshots, isRestoring }: BackupFigures): Backup['actions'] {
  if (row.state === 'deleting') return ['undelete']
  const isRunning = newest !== null && newest.endedAt === null
  // On a new cluster also when its own is gone.
  const canRestore = snapshots > 0 && !isRestoring
  return [
    ...(isRunning ? (newest.cancellable ? (['cancel'] as const) : []) : hasCluster ? (['run'] as const) : []),
    ...(hasCluster ? ([row.state === 'paused' ? 'resume' : 'pause'] as const) : []),
    'edit',
    ...(hasCluster && row.has_repository && row.password === 'kept' ? (['changePassword'] as const) : []),
    ...(hasCluster && row.has_repository && row.prove_state === null ? (['prove'] as const) : []),
    ...(canRestore ? (['restore'] as const) : []),
    'delete',
  ]
}
