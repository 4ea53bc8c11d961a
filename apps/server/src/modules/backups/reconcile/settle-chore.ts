/** Records the results of prunes, checks and drills in the chore and its backup. */
import { PruneResult } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { AgentTask } from '../../agents/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { noteHeld } from '../records/note-held.ts'
import { saidReason } from '../rules/failure-reason.ts'
import type { ChoreRow } from '../tables.ts'
import { endChore } from './chores.ts'
import { settleDrill } from './drill.ts'
import { followDrill, isElsewhere } from './drill-elsewhere.ts'
import { type BackupFacts, endTask, isLostTo, taskOf } from './facts.ts'
import { explainFailure } from './failed-read.ts'
import { settlePassword } from './password-change.ts'
import { settleReading } from './prove.ts'
import { tellTrouble } from './warn.ts'

/** Ends the chore whose task has ended; a lost one is asked for again by the next reconcile of what is kept. */
export async function settleChore(deps: BackupDeps, found: BackupFacts): Promise<void> {
  const { trx, at, chore, backup } = found
  if (!chore) return
  if (isElsewhere(chore)) return await followDrill(deps, found, chore)
  const task = taskOf(found, chore)
  const facts = { ...found, isLost: isLostTo(found, task) }
  const isOver = !task || facts.isLost || ['done', 'failed', 'canceled'].includes(task.state)
  if (!isOver) return
  // Read before the task is ended here, too.
  const isCanceled = (task?.isCancelAsked ?? false) && (task?.state === 'canceled' || facts.isLost)
  await endTask(deps, trx, chore.task_id)
  const reason =
    chore.kind === 'check'
      ? await settleReading(deps, facts, chore, task, isCanceled)
      : chore.kind === 'drill'
        ? await settleDrill(deps, facts, chore, task, isCanceled)
        : chore.kind === 'password'
          ? await settlePassword(deps, facts, chore, task)
          : await pruneFailure(deps, facts, chore, task)
  await endChore(facts, chore, reason)
  await tellOfChore(deps, facts, chore, isCanceled ? 'canceled' : reason)
  if (reason || chore.kind !== 'prune') return
  await trx.updateTable('backups').set({ pruned_at: at }).where('id', '=', backup.id).execute()
  await noteHeld(deps, trx, backup)
}

/**
 * Drills and damage have mails of their own, and the result of a password change is shown on the page where it was
 * requested. No mail about a chore that was canceled or whose machine was lost.
 */
async function tellOfChore(
  deps: BackupDeps,
  facts: BackupFacts,
  { kind }: ChoreRow,
  reason: Reason | null | 'canceled',
): Promise<void> {
  if (kind === 'drill' || kind === 'password' || reason === 'canceled' || facts.isLost) return
  if (kind === 'check' && reason?.key === 'backupDamaged') return
  await tellTrouble(deps, facts, kind, reason)
}

async function pruneFailure(
  deps: BackupDeps,
  { trx, backup }: BackupFacts,
  { task_id }: ChoreRow,
  task: AgentTask | undefined,
): Promise<Reason | null> {
  if (task?.state !== 'done') return saidReason(task?.reason ?? 'The machine was lost.')
  const result = PruneResult.safeParse(task.result)
  if (!result.success) return saidReason('The agent gave no result.')
  if (result.data.outcome !== 'failed') return null
  const { failure, text } = result.data
  return await explainFailure(deps, trx, { repositoryId: backup.repo_id, taskId: task_id }, { failure, text })
}
