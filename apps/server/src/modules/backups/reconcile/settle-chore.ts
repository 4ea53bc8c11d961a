/** What came of forgetting, pruning and reading back, written into the chore and what it is about. */
import { ForgetResult, PruneResult } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { AgentTask } from '../../agents/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { noteHeld } from '../records/note-held.ts'
import { failureReason, saidReason } from '../rules/failure-reason.ts'
import { endChore } from './chores.ts'
import { settleDrill } from './drill.ts'
import { followDrill, isElsewhere } from './drill-elsewhere.ts'
import { settleReading } from './prove.ts'
import { type BackupWorld, endTask, taskOf } from './world.ts'

/** Ends the chore whose task has ended; a lost one is asked for again by the next reconcile of what is kept. */
export async function settleChore(deps: BackupDeps, world: BackupWorld): Promise<void> {
  const { trx, at, chore, backup } = world
  if (!chore) return
  if (isElsewhere(chore)) return await followDrill(deps, world, chore)
  const task = taskOf(world, chore)
  const isOver = !task || world.isLost || ['done', 'failed', 'canceled'].includes(task.state)
  if (!isOver) return
  // Read before the task is ended here, too.
  const isCanceled = (task?.isCancelAsked ?? false) && (task?.state === 'canceled' || world.isLost)
  await endTask(deps, trx, chore.task_id)
  const reason =
    chore.kind === 'check'
      ? await settleReading(deps, world, chore, task, isCanceled)
      : chore.kind === 'drill'
        ? await settleDrill(deps, world, chore, task, isCanceled)
        : choreFailure(chore.kind, task)
  await endChore(world, chore, reason)
  if (reason) return
  if (chore.kind === 'prune') {
    await trx.updateTable('backups').set({ pruned_at: at }).where('id', '=', backup.id).execute()
    await noteHeld(deps, trx, backup)
  } else if (chore.kind === 'forget' && chore.snapshots.length > 0) {
    await trx.updateTable('snapshots').set({ forgotten_at: at }).where('id', 'in', chore.snapshots).execute()
  }
}

function choreFailure(kind: 'forget' | 'prune', task: AgentTask | undefined): Reason | null {
  if (task?.state !== 'done') return saidReason(task?.reason ?? 'The machine was lost.')
  const result = (kind === 'forget' ? ForgetResult : PruneResult).safeParse(task.result)
  if (!result.success) return saidReason('The agent gave no result.')
  return result.data.outcome === 'failed' ? failureReason(result.data.failure, result.data.text) : null
}
