/** The changes that `decide` returns and `apply` writes; plain values, so that a property can compare them. */
import type { TaskKind } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { AuditFacts } from '@atoll/contract/audit'
import type { z } from 'zod'
import type { AgentTask } from '../../agents/index.ts'
import type { NewGrant, SnapshotFile } from '../../vault/index.ts'
import type { NewProof } from '../records/proof-store.ts'
import { storeReason } from '../rules/reason-text.ts'
import { nextRunState, type RunEvent } from '../rules/run-state.ts'
import type {
  BackupRow,
  BackupUpdate,
  ChoreRow,
  ChoreUpdate,
  RestoreRow,
  RestoreUpdate,
  SnapshotRow,
  SnapshotUpdate,
} from '../tables.ts'
import type { TroubleSource } from '../troubles.ts'

export type NewChore = Pick<ChoreRow, 'kind'> &
  Partial<Pick<ChoreRow, 'task_id' | 'part' | 'parts' | 'drill_cluster_id' | 'ended_at' | 'reason'>>

export type DrillSnapshot = SnapshotRow & { tree_root: string; restic_id: string; received_at: Date }

/** The content of a notice to the owner. */
export type Notice =
  | { about: 'over' }
  | { about: 'damage' | 'drill' | TroubleSource; reason: Reason | null }
  | { about: 'shrink' | 'rewrite'; percent: number }

/** A task for an agent. `right`: the repository is added to its parameters, with this right to it. */
export interface TaskChange {
  kind: 'requestTask'
  task: TaskKind
  taskId: string
  instanceId: string
  right: NewGrant['right'] | null
  deletes?: NewGrant['deletes']
  params: Record<string, unknown>
}

export type Change =
  | { kind: 'saveBackup'; set: BackupUpdate }
  | { kind: 'saveRun'; id: string; set: SnapshotUpdate }
  | { kind: 'saveRestore'; id: string; set: RestoreUpdate }
  | { kind: 'saveChore'; id: string; set: ChoreUpdate }
  | { kind: 'insertRun'; scheduledFor: Date | null }
  /** The run that goes before the files which this restore replaces. */
  | { kind: 'insertSafetyRun'; restoreId: string; paths: string[] }
  | { kind: 'insertChore'; snapshotIds: string[]; chore: NewChore }
  | { kind: 'insertProof'; proof: NewProof }
  | { kind: 'insertFound'; files: SnapshotFile[] }
  | TaskChange
  /** Ends a task, where it has not ended, and its right to the repository. */
  | { kind: 'endTask'; taskId: string }
  /** Asks the agent to end a task; it reports the end. */
  | { kind: 'cancelTask'; taskId: string }
  | { kind: 'notify'; notice: Notice }
  | { kind: 'audit'; action: 'backup.damage' | 'backup.alarm'; after: AuditFacts }
  /** Has the meters read what the repository holds. */
  | { kind: 'meter' }
  | { kind: 'forget'; rows: { id: string; restic_id: string }[] }
  /** The plan was given to another cluster, under this name. */
  | { kind: 'moveRepository'; clusterId: string; name: string }
  | { kind: 'wakeCluster'; clusterId: string }
  /** Has the vault read every file again. */
  | { kind: 'scrub' }
  /** Orders a cluster for a drill; where none can be had, the drill is `beside`. */
  | { kind: 'orderDrill'; snapshot: DrillSnapshot; beside: Change[] }
  | { kind: 'destroyDrill'; clusterId: string }

/** The task of a chore, as it ended. */
export interface ChoreEnd {
  task: AgentTask | undefined
  isLost: boolean
  /** Somebody asked that it ends. */
  isCanceled: boolean
}

/** The result of a chore. `reason`: why it failed; null: it did not. */
export interface Settled {
  changes: Change[]
  reason: Reason | null
}

/** A change that requests a task whose parameters name the repository. */
export function sendTask<Params extends z.ZodType>(
  task: TaskKind<Params>,
  { right, deletes, ...to }: Pick<TaskChange, 'taskId' | 'instanceId' | 'deletes'> & { right: NewGrant['right'] },
  params: Omit<z.input<Params>, 'repository'>,
): TaskChange {
  return { kind: 'requestTask', task, ...to, right, ...(deletes && { deletes }), params: { ...params } }
}

export type Run = SnapshotRow | RestoreRow

/** Where `event` takes a run or a restore; an event that comes too late changes nothing. */
export function moveRun(
  at: Date,
  table: 'snapshots' | 'restores',
  row: Run,
  event: RunEvent,
  set: SnapshotUpdate & RestoreUpdate = {},
): Change[] {
  const state = nextRunState(row.state, event)
  if (!state) return []
  const isEnd = state === 'Completed' || state === 'Failed' || state === 'Canceled'
  const moved = {
    state,
    ...((event === 'send' || event === 'begin' || event === 'cancel') && { reason: null }),
    ...set,
    ...(event === 'send' && { started_at: row.started_at ?? at }),
    ...(event === 'begin' && { running_at: row.running_at ?? at }),
    ...(event === 'lose' && { running_at: null }),
    ...(isEnd && { ended_at: at }),
  }
  if (table === 'restores')
    return [{ kind: 'saveRestore', id: row.id, set: { ...moved, ...(isEnd && { box: null, choice: null }) } }]
  return [{ kind: 'saveRun', id: row.id, set: { ...moved, ...(event === 'lose' && { lost_at: at }) } }]
}

export function endTask(taskId: string | null): Change[] {
  return taskId === null ? [] : [{ kind: 'endTask', taskId }]
}

/** `reason`: why it failed; null: it did not. */
export function endChore(at: Date, { id }: ChoreRow, reason: Reason | null): Change {
  return { kind: 'saveChore', id, set: { ended_at: at, reason: reason && storeReason(reason) } }
}

/** Records why a run waits, where that is not recorded yet. */
export function noteWait(table: 'snapshots' | 'restores', row: Run, why: Reason): Change[] {
  const reason = storeReason(why)
  if (row.reason === reason) return []
  return [{ kind: table === 'snapshots' ? 'saveRun' : 'saveRestore', id: row.id, set: { reason } }]
}

/**
 * Ends what a machine reads or prunes, because something that cannot wait changes the repository; its right ends with
 * it. It is no failure, so it is begun again as soon as it is due.
 */
export function stopChore(at: Date, backup: BackupRow, chore: ChoreRow): Change[] {
  const isAsked = chore.kind === 'check' && backup.prove_state === 'reading'
  return [
    ...endTask(chore.task_id),
    endChore(at, chore, null),
    ...(isAsked ? [{ kind: 'saveBackup', set: { prove_state: 'asked', prove_since: at } } as const] : []),
  ]
}
