/**
 * Has the machine of a backup, which keeps its present password, change it for the new one that its owner sealed. The
 * machine is asked about one key after the other, from the oldest on, since a right removes no more than one: keys of
 * changes that were cut off go, too. Until all are gone the new password stays wanted, so a lost machine is asked
 * again.
 */
import { PasswordResult, taskKinds } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import { explainFailure } from '../rules/explain-failure.ts'
import { saidReason } from '../rules/failure-reason.ts'
import { storeReason } from '../rules/reason-text.ts'
import { waitReason } from '../rules/wait-reason.ts'
import type { ChoreRow } from '../tables.ts'
import { type Change, type ChoreEnd, type Settled, sendTask, stopChore } from './changes.ts'
import type { BackupFacts } from './facts.ts'

/** As soon as the machine has nothing else to do; a reading back is begun again after it. */
export function changePassword(facts: BackupFacts): Change[] {
  const { at, backup, run, restore, chore, agent, instanceId, oldestKey, newTaskId: taskId } = facts
  if (backup.new_box === null || run || restore || (chore && chore.kind !== 'check')) return []
  if (instanceId === undefined) return [endChange({ key: 'backupClusterLost' })]
  if (backup.password !== 'kept' || waitReason({ agent, password: 'kept', isFull: false })) return []
  const oldKey = backup.old_key ?? oldestKey
  if (oldKey === undefined) return [endChange({ key: 'backupDamaged' })]
  const params = { backupId: backup.id, box: backup.new_box, oldKey }
  return [
    ...(chore ? stopChore(at, backup, chore) : []),
    { kind: 'saveBackup', set: { old_key: oldKey } },
    { kind: 'insertChore', snapshotIds: [], chore: { kind: 'password', task_id: taskId } },
    sendTask(taskKinds['backup.password'], { taskId, instanceId, right: 'prune', deletes: { key: oldKey } }, params),
  ]
}

/** The end of the task, and why it failed; one whose machine was lost stays wanted. */
export function settlePassword(
  { nextKey, blamed }: BackupFacts,
  { task_id }: ChoreRow,
  { task, isLost }: ChoreEnd,
): Settled {
  const result = PasswordResult.safeParse(task?.state === 'done' ? task.result : undefined).data
  if (!result && (isLost || !task)) return { changes: [], reason: saidReason('The machine was lost.') }
  const reason = !result
    ? saidReason(task?.reason ?? 'The agent gave no result.')
    : result.outcome === 'failed'
      ? explainFailure(result.failure, result.text, blamed.get(task_id ?? ''))
      : null
  const next = result?.outcome === 'done' && result.left > 0 ? nextKey : undefined
  if (next === undefined) return { changes: [endChange(reason)], reason }
  return { changes: [{ kind: 'saveBackup', set: { old_key: next } }], reason }
}

/** `reason`: why it failed; null: it did not. */
function endChange(reason: Reason | null): Change {
  return { kind: 'saveBackup', set: { new_box: null, old_key: null, new_box_reason: reason && storeReason(reason) } }
}
