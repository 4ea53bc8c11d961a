/**
 * Drills: once a month the newest snapshot is restored into an empty place, and its root compared with the backup's.
 * On a cluster that is made for it where that can be had (`drill-elsewhere.ts`), else beside the drive of the machine.
 */
import { DrillResult, taskKinds } from '@atoll/contract/agents'
import { failureReason, saidReason } from '../rules/failure-reason.ts'
import { judgeDrill } from '../rules/judge-drill.ts'
import { storeReason } from '../rules/reason-text.ts'
import { waitReason } from '../rules/wait-reason.ts'
import type { ChoreRow, SnapshotRow } from '../tables.ts'
import { type Change, type ChoreEnd, type DrillSnapshot, type Settled, sendTask } from './changes.ts'
import { type BackupFacts, isQuiet } from './facts.ts'

/** Has the newest snapshot restored somewhere, when that is due and nothing else is under way. */
export function beginDrill(facts: BackupFacts): Change[] {
  const { at, backup, agent, instanceId, drillable, nextDrillAt, newTaskId: taskId } = facts
  if (!isQuiet(facts) || backup.prove_state !== null || backup.damaged_at !== null) return []
  if (waitReason({ agent, password: backup.password, isFull: false }) || instanceId === undefined) return []
  if (backup.password !== 'kept' || !drillable || !nextDrillAt || nextDrillAt > at) return []
  const beside: Change[] = [
    { kind: 'insertChore', snapshotIds: [drillable.id], chore: { kind: 'drill', task_id: taskId } },
    sendTask(
      taskKinds['backup.drill'],
      { taskId, instanceId, right: 'read' },
      { backupId: backup.id, ...drilled(drillable) },
    ),
  ]
  // An older agent cannot seal the password for another machine.
  return agent?.backups?.mayReseal ? [{ kind: 'orderDrill', snapshot: drillable, beside }] : beside
}

/** The task's parameters about a snapshot, without the expected result. */
export function drilled({ restic_id, paths, tree_apart: apart }: DrillSnapshot | SnapshotRow) {
  return { snapshotId: restic_id ?? '', paths, apart }
}

/** The result of a drill on the machine itself; a reason: it did not pass, or could not be carried out. */
export function settleDrill(facts: BackupFacts, chore: ChoreRow, { task, isCanceled }: ChoreEnd): Settled {
  if (isCanceled) return { changes: [], reason: { key: 'backupProofCanceled' } }
  return judge(facts, chore, { task, elsewhere: false })
}

/** Compares what came back with what was backed up; see `settleDrill`. */
export function judge(
  { drilledSnapshot: snapshot, lastDrill }: BackupFacts,
  chore: ChoreRow,
  { task, elsewhere }: { task: ChoreEnd['task']; elsewhere: boolean },
): Settled {
  const result = DrillResult.safeParse(task?.state === 'done' ? task.result : undefined)
  if (!result.success || !snapshot) {
    return { changes: [], reason: saidReason(task?.reason ?? 'The machine was lost.') }
  }
  const said = result.data
  const isDone = said.outcome === 'done'
  // A failure that prevented the drill proves nothing about the backup.
  if (!isDone && !['damaged', 'no_snapshot', 'failed'].includes(said.failure)) {
    return { changes: [], reason: failureReason(said.failure, said.text) }
  }
  const backed = { root: snapshot.tree_root ?? '', files: snapshot.tree_files ?? 0, apart: snapshot.tree_apart.length }
  const problem = isDone ? judgeDrill(backed, said) : undefined
  const reason = isDone ? (problem ? { key: problem } : null) : failureReason(said.failure, said.text)
  const stored = reason && storeReason(reason)
  const proof = {
    level: 'drilled',
    passed: reason === null,
    snapshot_id: snapshot.id,
    at: chore.created_at,
    files: backed.files,
    bytes: isDone ? said.bytes : null,
    equal: reason === null ? backed.files : null,
    elsewhere,
    reason: stored,
  } as const
  // No mail if the next day's drill fails for the same reason.
  const isNew = reason !== null && lastDrill?.reason !== stored
  return {
    changes: [
      { kind: 'insertProof', proof },
      ...(isNew ? [{ kind: 'notify', notice: { about: 'drill', reason } } as const] : []),
    ],
    reason,
  }
}
