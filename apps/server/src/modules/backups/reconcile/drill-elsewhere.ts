/**
 * A drill on a hidden cluster that is made for it. The chore's row says how far it is:
 *   made        `drill_cluster_id`: the cluster was ordered in the transaction that began the chore
 *   sealed      `reseal_task_id`: once its machine has reported its key, the backed-up one seals the password for that
 *   restored    `task_id`: the new machine restores, and reports its root; it is not sent what to find
 * Each pass does the next of these or waits, and the one that ends the chore asks for the cluster to be destroyed, all
 * in one transaction: killed anywhere there is a verdict or none, and a cluster that nobody works with any more is what
 * `drill-sweep.ts` finds.
 */
import { ResealResult, taskKinds } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import { newId } from '../../../platform/crypto.ts'
import * as reconciler from '../../../platform/reconcile/index.ts'
import type { AgentTask } from '../../agents/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { reconcileJob } from '../records/backup-store.ts'
import { failureReason, saidReason } from '../rules/failure-reason.ts'
import type { ChoreRow } from '../tables.ts'
import { endChore } from './chores.ts'
import { grant } from './dispatch.ts'
import { drillParams, judge } from './drill.ts'
import { type BackupFacts, endTask, isSilent } from './facts.ts'

/** No drill keeps its cluster for longer. ms */
export const mostDrillMs = 6 * 3600_000
/** Until the new machine has the password; making one takes minutes. ms */
const readyWithinMs = 30 * 60_000
/** How often the cluster is read while no task reports. ms */
const pollMs = 5000

export type ElsewhereChore = ChoreRow & { drill_cluster_id: string }

/** Result of the drill, null: it passed; `undefined`: it is still under way. */
type Verdict = { reason: Reason | null } | undefined

export function isElsewhere(chore: ChoreRow): chore is ElsewhereChore {
  return chore.drill_cluster_id !== null
}

/** Takes a drill a step on, or ends it. */
export async function followDrill(deps: BackupDeps, facts: BackupFacts, chore: ElsewhereChore): Promise<void> {
  const { trx, at, backup } = facts
  const verdict = await step(deps, facts, chore)
  if (!verdict) {
    // Tasks report, clusters do not.
    if (chore.task_id === null) {
      await reconciler.enqueueReconcile(trx, reconcileJob, backup.id, new Date(at.getTime() + pollMs))
    }
    return
  }
  for (const taskId of [chore.reseal_task_id, chore.task_id]) await endTask(deps, trx, taskId)
  await deps.drills.destroy(trx, chore.drill_cluster_id)
  await endChore(facts, chore, verdict.reason)
}

async function step(deps: BackupDeps, facts: BackupFacts, chore: ElsewhereChore): Promise<Verdict> {
  const { trx, at, backup, tasks } = facts
  if (chore.cancel_asked || backup.state === 'deleting') return { reason: { key: 'backupProofCanceled' } }
  const task = chore.task_id === null ? undefined : tasks.get(chore.task_id)
  if (hasEnded(task)) return { reason: await judge(deps, facts, chore, task, { elsewhere: true }) }
  const machine = await deps.drills.find(trx, chore.drill_cluster_id)
  const ageMs = at.getTime() - chore.created_at.getTime()
  // The sweep removes the machine of a drill that is late.
  if (ageMs > mostDrillMs) return { reason: { key: 'drillLate' } }
  if (!machine) return { reason: { key: 'drillMachineLost' } }
  const [there] = await deps.agents.listAgents(trx, [machine.instanceId])
  if (chore.task_id !== null) {
    return !task || isSilent(there, at, chore.created_at) ? { reason: { key: 'drillMachineLost' } } : undefined
  }
  if (machine.failure) return { reason: madeReason(machine.failure) }
  if (facts.instanceId === undefined) return { reason: { key: 'backupClusterLost' } }
  if (ageMs > readyWithinMs) return { reason: { key: 'drillNotReady' } }
  if (!there?.connected || !there.backups?.restic) return undefined
  if (chore.reseal_task_id === null) return await reseal(deps, facts, chore, there.backups.key)
  return await send(deps, facts, chore, machine.instanceId)
}

async function reseal(
  deps: BackupDeps,
  { trx, backup, agent, instanceId }: BackupFacts,
  chore: ElsewhereChore,
  to: NonNullable<NonNullable<BackupFacts['agent']>['backups']>['key'],
): Promise<Verdict> {
  if (!agent?.connected || instanceId === undefined) return undefined
  const taskId = newId('at')
  await trx.updateTable('backup_chores').set({ reseal_task_id: taskId }).where('id', '=', chore.id).execute()
  const params = { backupId: backup.id, to }
  await deps.agents.requestTask(trx, taskKinds['backup.reseal'], { taskId, instanceId, params })
  return undefined
}

/** The new machine gets the password as the old one sealed it, and restores. */
async function send(deps: BackupDeps, facts: BackupFacts, chore: ElsewhereChore, instanceId: string): Promise<Verdict> {
  const { trx, tasks } = facts
  const sealing = tasks.get(chore.reseal_task_id ?? '')
  if (sealing && !hasEnded(sealing)) return undefined
  const sealed = ResealResult.safeParse(sealing?.state === 'done' ? sealing.result : undefined)
  if (!sealed.success) return { reason: saidReason(sealing?.reason ?? 'The machine was lost.') }
  if (sealed.data.outcome === 'failed') return { reason: failureReason(sealed.data.failure, sealed.data.text) }
  const { taskId, repository } = await grant(deps, facts, 'read')
  await trx.updateTable('backup_chores').set({ task_id: taskId }).where('id', '=', chore.id).execute()
  const params = { ...(await drillParams(facts, chore)), repository, box: sealed.data.box }
  await deps.agents.requestTask(trx, taskKinds['backup.drill'], { taskId, instanceId, params })
  return undefined
}

/** Why there is no machine: no room is distinguished, since it passes. */
function madeReason(failure: Reason): Reason {
  const isFull = [failure.key, failure.cause?.key].some((key) => key === 'soldOut' || key === 'noRoomYet')
  return isFull ? { key: 'drillSoldOut' } : { key: 'drillNotMade' }
}

function hasEnded(task: AgentTask | undefined): task is AgentTask {
  return task !== undefined && ['done', 'failed', 'canceled'].includes(task.state)
}
