/**
 * Has the machine of a backup, which keeps its present password, change it for the new one that its owner sealed. The
 * machine is asked about one key after the other, from the oldest on, since a right removes no more than one: keys of
 * changes that were cut off go, too. Until all are gone the new password stays wanted, so a lost machine is asked
 * again.
 */
import { PasswordResult, taskKinds } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { AgentTask } from '../../agents/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { saidReason } from '../rules/failure-reason.ts'
import { storeReason } from '../rules/reason-text.ts'
import { waitReason } from '../rules/wait-reason.ts'
import type { ChoreRow } from '../tables.ts'
import { insertChore, stopChore } from './chores.ts'
import { grant } from './dispatch.ts'
import type { BackupFacts } from './facts.ts'
import { explainFailure } from './failed-read.ts'

/** As soon as the machine has nothing else to do; a reading back is begun again after it. */
export async function dispatchPassword(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  const { trx, backup, run, restore, chore, agent, instanceId } = facts
  if (backup.new_box === null || run || restore || (chore && chore.kind !== 'check')) return
  if (instanceId === undefined) return await endChange(facts, { key: 'backupClusterLost' })
  if (backup.password !== 'kept' || waitReason({ agent, password: 'kept', isFull: false })) return
  const oldKey = backup.old_key ?? (await deps.vault.findKey(trx, { repositoryId: backup.repo_id }))
  if (oldKey === undefined) return await endChange(facts, { key: 'backupDamaged' })
  if (chore) await stopChore(deps, facts, chore)
  const { taskId, repository } = await grant(deps, facts, 'prune', { key: oldKey })
  await trx.updateTable('backups').set({ old_key: oldKey }).where('id', '=', backup.id).execute()
  await insertChore(facts, [], { kind: 'password', task_id: taskId })
  const params = { repository, backupId: backup.id, box: backup.new_box, oldKey }
  await deps.agents.requestTask(trx, taskKinds['backup.password'], { taskId, instanceId, params })
}

/** Stores the end of the task, and says why it failed; one whose machine was lost stays wanted. */
export async function settlePassword(
  deps: BackupDeps,
  facts: BackupFacts,
  { task_id: taskId }: ChoreRow,
  task: AgentTask | undefined,
): Promise<Reason | null> {
  const { trx, backup, isLost } = facts
  const result = PasswordResult.safeParse(task?.state === 'done' ? task.result : undefined).data
  if (!result && (isLost || !task)) return saidReason('The machine was lost.')
  const reason = !result
    ? saidReason(task?.reason ?? 'The agent gave no result.')
    : result.outcome === 'failed'
      ? await explainFailure(deps, trx, { repositoryId: backup.repo_id, taskId }, result)
      : null
  const after = result?.outcome === 'done' && result.left > 0 ? backup.old_key : null
  const next = after === null ? undefined : await deps.vault.findKey(trx, { repositoryId: backup.repo_id, after })
  if (next === undefined) await endChange(facts, reason)
  else await trx.updateTable('backups').set({ old_key: next }).where('id', '=', backup.id).execute()
  return reason
}

/** `reason`: why it failed; null: it did not. */
async function endChange({ trx, backup }: BackupFacts, reason: Reason | null): Promise<void> {
  const ended = { new_box: null, old_key: null, new_box_reason: reason && storeReason(reason) }
  await trx.updateTable('backups').set(ended).where('id', '=', backup.id).execute()
}
