/** The facts that a decision about a backup is made from: its row, locked, its work, its machines and its store. */
import type { Reason } from '@atoll/contract/api'
import type { AgentRow, AgentTask } from '../../agents/index.ts'
import type { SnapshotFile } from '../../vault/index.ts'
import type { OpenWork } from '../records/backup-store.ts'
import type { ClusterRestoreRow } from '../records/cluster-restore-store.ts'
import type { Blamed } from '../rules/explain-failure.ts'
import type { GuardedRun } from '../rules/guard.ts'
import type { ReadPart } from '../rules/read-back.ts'
import type { BackupRow, ChoreRow, ProofRow, SnapshotRow } from '../tables.ts'
import type { DrillSnapshot } from './changes.ts'

/** A machine that is silent for this long is lost: what it worked at waits again. ms */
const lostAfterMs = 10 * 60_000
/** From a chore that failed to the next try. ms */
const choreRetryMs = 3600_000

/** The master of a cluster. */
export interface BackupMachine {
  /** Undefined: the cluster is gone. */
  instanceId: string | undefined
  agent: AgentRow | undefined
  isLost: boolean
}

/** A restore under way on a cluster that is made for it. */
export interface ClusterRestore {
  row: ClusterRestoreRow
  machine: BackupMachine
  task: AgentTask | undefined
  snapshot: SnapshotRow | undefined
  /** Another cluster of the same backup is active. */
  hasActiveKin: boolean
}

export type EndedChore = Pick<ChoreRow, 'reason' | 'ended_at'> | undefined

/** Facts for retention and pruning. */
export interface Upkeep {
  /** Snapshots that the rules do not keep. */
  remove: readonly { id: string; restic_id: string }[]
  lastPrune: EndedChore
  /** Undefined: no byte is stored that no snapshot needs. `maxMoved`: of `backup.prune`. */
  unpruned: { isShort: boolean; isAtReserve: boolean; maxMoved: number | undefined } | undefined
}

/** Each is read only where a rule may ask for it; else it is empty, false or undefined. */
export interface BackupFacts extends OpenWork, BackupMachine {
  at: Date
  backup: BackupRow
  /** The name of the product, as texts show it. */
  product: string
  /** The id of the task that this decision requests, if it does. */
  newTaskId: string
  tasks: ReadonlyMap<string, AgentTask>
  /** The vault's knowledge of failures, by task. */
  blamed: ReadonlyMap<string, Blamed>
  /** The machine of the restore: the backup's own, or that of another cluster, which reads it. */
  reader: BackupMachine
  /** The snapshot of the restore that waits. */
  restored: SnapshotRow | undefined
  /** Undefined while none was begun, and after one that was given up: the machine was away, or a slot came. */
  safetyRun: SnapshotRow | undefined
  /** As many runs of all accounts are under way as there may be. */
  isFull: boolean
  /** The servers of its cluster are suspended. */
  isSuspended: boolean
  /** The snapshots in the vault, and those of them that have no row. */
  files: readonly SnapshotFile[]
  unnamed: readonly SnapshotFile[]
  /** The completed runs before the one that has ended, the newest first. */
  earlierRuns: readonly GuardedRun[]
  /** Files that the vault has not read since the proof was asked for. */
  unhashed: number
  damage: ProofRow | undefined
  /** All that is stored has been read since the damage, and none of it differs. */
  isSound: boolean
  /** Restores whose cluster is active and was not noticed yet, with the backups that the cluster has. */
  activated: readonly { restoreId: string; clusterId: string; others: readonly BackupRow[] }[]
  clusterRestores: readonly ClusterRestore[]
  /** Deadlines of the vault are held back. */
  isHeld: boolean
  resumedAt: Date | undefined
  /** The first key of the repository, and the one after that which is being removed. */
  oldestKey: string | undefined
  nextKey: string | undefined
  /** Undefined while nothing may be forgotten or pruned. */
  upkeep: Upkeep | undefined
  reads: readonly ReadPart[]
  parts: number
  lastCheck: EndedChore
  nextCheckAt: Date | undefined
  nextDrillAt: Date | undefined
  drillable: DrillSnapshot | undefined
  /** Of the drill under way: its snapshot, the newest verdict, and where it is made elsewhere its machine. */
  drilledSnapshot: SnapshotRow | undefined
  lastDrill: ProofRow | undefined
  drillMachine: { instanceId: string; failure: Reason | null } | undefined
  drillAgent: AgentRow | undefined
}

/** Whether no agent reports of `task` any more: its machine is silent, or another one has taken its place. */
export function isLostTo({ instanceId, isLost }: BackupMachine, task: AgentTask | undefined): boolean {
  return isLost || (task !== undefined && instanceId !== undefined && task.instanceId !== instanceId)
}

/** `since`: when it was asked for something first. */
export function isSilent(agent: AgentRow | undefined, at: Date, since: Date): boolean {
  if (!agent || agent.connected) return !agent
  return at.getTime() - (agent.lastSeenAt ?? since).getTime() > lostAfterMs
}

export function taskOf(
  { tasks }: Pick<BackupFacts, 'tasks'>,
  row: { task_id: string | null } | undefined,
): AgentTask | undefined {
  return row?.task_id ? tasks.get(row.task_id) : undefined
}

/** Nothing is under way on its machine. */
export function isQuiet({ run, restore, chore }: OpenWork): boolean {
  return !run && !restore && !chore
}

/**
 * Whether snapshots may be forgotten and bytes pruned. Until the owner says that an alarm was them, everything stays;
 * and while nobody knows which snapshots are whole. While a new cluster reads, nothing is moved; one that waits, for a
 * password say, may wait for weeks: its snapshot is kept as the rules' own are, and the rest goes on. The vault may
 * hold what this database does not know of, and a clock that jumped makes everything old: then it is held.
 */
export function mayMaintain(facts: OpenWork & Pick<BackupFacts, 'backup' | 'isHeld' | 'clusterRestores'>): boolean {
  const { backup, isHeld, clusterRestores } = facts
  if (!isQuiet(facts) || isHeld || clusterRestores.some(({ row }) => row.state !== 'Pending')) return false
  return backup.alarm === null && backup.damaged_at === null
}

/** Whether the newest chore of a kind failed so lately that it is not tried again yet. */
export function hasJustFailed(at: Date, last: EndedChore): boolean {
  return !!last?.reason && !!last.ended_at && at.getTime() - last.ended_at.getTime() < choreRetryMs
}
