/** Backups as clients see them: the only place where rows become JSON. */
import { BackupProgress } from '@atoll/contract/agents'
import type { Backup, Restore, RunProgress, Snapshot } from '@atoll/contract/backups'
import type { Locale } from '@atoll/contract/wire'
import type { AgentTask } from '../../agents/index.ts'
import { tellReason } from '../reconcile/reason-text.ts'
import type { BackupRow, RestoreRow, SnapshotRow } from '../records/tables.ts'

export function snapshotJson(row: SnapshotRow, task: AgentTask | undefined, locale: Locale): Snapshot {
  const isOpen = row.ended_at === null
  return {
    snapshotId: row.id,
    kind: row.kind,
    state: row.state,
    scheduledFor: row.scheduled_for?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    size: row.size,
    newBytes: row.new_bytes,
    files: row.files,
    unreadFiles: row.unread_files,
    reason: tellReason(row.reason, locale),
    progress: isOpen ? progressOf(task) : null,
    restorable: row.state === 'Completed' && row.forgotten_at === null,
    cancellable: isOpen && !row.cancel_asked,
    cancelAsked: isOpen && row.cancel_asked,
  }
}

export function restoreJson(
  row: RestoreRow & { snapshot_at: Date },
  task: AgentTask | undefined,
  locale: Locale,
): Restore {
  const isOpen = row.ended_at === null
  return {
    restoreId: row.id,
    snapshotId: row.snapshot_id,
    snapshotAt: row.snapshot_at.toISOString(),
    way: row.way,
    state: row.state,
    folder: row.folder,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    files: row.files,
    size: row.size,
    reason: tellReason(row.reason, locale),
    needsPassword: row.needs_password,
    progress: isOpen ? progressOf(task) : null,
    cancellable: isOpen && !row.cancel_asked,
  }
}

/** Totals that nobody knows yet come as 0. */
function progressOf(task: AgentTask | undefined): RunProgress | null {
  const said = BackupProgress.safeParse(task?.progress)
  if (!said.success) return null
  const { filesTotal, bytesTotal, ...rest } = said.data
  return { ...rest, filesTotal: filesTotal || null, bytesTotal: bytesTotal || null }
}

export interface BackupFigures {
  clusterName: string
  /** The cluster is not gone. */
  hasCluster: boolean
  size: number
  snapshots: number
  oldestAt: Date | null
  lastCompletedAt: Date | null
  newest: Snapshot | null
  isRestoring: boolean
}

export function backupJson(row: BackupRow, figures: BackupFigures): Backup {
  const { clusterName, size, snapshots, oldestAt, lastCompletedAt, newest } = figures
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
    deletedAt: row.deleted_at?.toISOString() ?? null,
    size,
    snapshots,
    oldestAt: oldestAt?.toISOString() ?? null,
    needsPassword: row.password === 'missing' || row.password === 'wrong',
    newest,
    lastCompletedAt: lastCompletedAt?.toISOString() ?? null,
    actions: actionsOf(row, figures),
  }
}

function actionsOf(row: BackupRow, { hasCluster, newest, snapshots, isRestoring }: BackupFigures): Backup['actions'] {
  if (row.state === 'deleting') return ['undelete']
  const isRunning = newest !== null && newest.endedAt === null
  const canRestore = hasCluster && snapshots > 0 && !isRestoring
  return [
    ...(isRunning ? (newest.cancellable ? (['cancel'] as const) : []) : hasCluster ? (['run'] as const) : []),
    ...(hasCluster ? ([row.state === 'paused' ? 'resume' : 'pause'] as const) : []),
    'edit',
    ...(canRestore ? (['restore'] as const) : []),
    'delete',
  ]
}
