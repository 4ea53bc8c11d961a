/**
 * A drill on a hidden cluster that is made for it. The chore's row says how far it is:
 *   made        `drill_cluster_id`: the cluster was ordered in the transaction that began the chore
 *   sealed      `reseal_task_id`: once its machine has reported its key, the backed-up one seals the password for that
 *   restored    `task_id`: the new machine restores, and reports its root; it is not sent what to find
 * Each decision does the next of these or waits, and the one that ends the chore asks for the cluster to be destroyed,
 * all in one transaction: killed anywhere there is a verdict or none, and a cluster that nobody works with any more is
 * what `drill-sweep.ts` finds.
 */
import { ResealResult, taskKinds } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { AgentTask } from '../../agents/index.ts'
import { failureReason, saidReason } from '../rules/failure-reason.ts'
import type { ChoreRow } from '../tables.ts'
import { type Change, endChore, endTask, sendTask } from './changes.ts'
import { drilled, judge } from './drill.ts'
import { type BackupFacts, isSilent } from './facts.ts'

/** No drill keeps its cluster for longer. ms */
export const mostDrillMs = 6 * 3600_000
/** Until the new machine has the password; making one takes minutes. ms */
const readyWithinMs = 30 * 60_000
/** How often the cluster is read while no task reports. ms */
const pollMs = 5000

export type ElsewhereChore = ChoreRow & { drill_cluster_id: string }

export function isElsewhere(chore: ChoreRow): chore is ElsewhereChore {
  return chore.drill_cluster_id !== null
}

/** When a drill under way is read again: tasks report, clusters do not. */
export function nextPollAt({ at, chore }: BackupFacts): Date | undefined {
  const isPolled = chore && isElsewhere(chore) && chore.task_id === null
  return isPolled ? new Date(at.getTime() + pollMs) : undefined
}

/** Takes a drill a step on, or ends it. */
export function followDrill(facts: BackupFacts, chore: ElsewhereChore): Change[] {
  const { at, backup, tasks } = facts
  const end = (reason: Reason | null, changes: Change[] = []): Change[] => [
    ...changes,
    ...endTask(chore.reseal_task_id),
    ...endTask(chore.task_id),
    { kind: 'destroyDrill', clusterId: chore.drill_cluster_id },
    endChore(at, chore, reason),
  ]
  if (chore.cancel_asked || backup.state === 'deleting') return end({ key: 'backupProofCanceled' })
  const task = chore.task_id === null ? undefined : tasks.get(chore.task_id)
  if (hasEnded(task)) {
    const { changes, reason } = judge(facts, chore, { task, elsewhere: true })
    return end(reason, changes)
  }
  const { drillMachine: machine, drillAgent: there } = facts
  const ageMs = at.getTime() - chore.created_at.getTime()
  // The sweep removes the machine of a drill that is late.
  if (ageMs > mostDrillMs) return end({ key: 'drillLate' })
  if (!machine) return end({ key: 'drillMachineLost' })
  if (chore.task_id !== null) {
    return !task || isSilent(there, at, chore.created_at) ? end({ key: 'drillMachineLost' }) : []
  }
  if (machine.failure) return end(madeReason(machine.failure))
  if (facts.instanceId === undefined) return end({ key: 'backupClusterLost' })
  if (ageMs > readyWithinMs) return end({ key: 'drillNotReady' })
  if (!there?.connected || !there.backups?.restic) return []
  if (chore.reseal_task_id === null) return reseal(facts, chore, there.backups.key)
  const sealing = tasks.get(chore.reseal_task_id)
  if (sealing && !hasEnded(sealing)) return []
  const sealed = ResealResult.safeParse(sealing?.state === 'done' ? sealing.result : undefined)
  if (!sealed.success) return end(saidReason(sealing?.reason ?? 'The machine was lost.'))
  if (sealed.data.outcome === 'failed') return end(failureReason(sealed.data.failure, sealed.data.text))
  return restore(facts, chore, { instanceId: machine.instanceId, box: sealed.data.box })
}

function reseal(
  { backup, agent, instanceId, newTaskId: taskId }: BackupFacts,
  chore: ElsewhereChore,
  to: NonNullable<NonNullable<BackupFacts['agent']>['backups']>['key'],
): Change[] {
  if (!agent?.connected || instanceId === undefined) return []
  const task = taskKinds['backup.reseal']
  return [
    { kind: 'saveChore', id: chore.id, set: { reseal_task_id: taskId } },
    { kind: 'requestTask', task, taskId, instanceId, right: null, params: { backupId: backup.id, to } },
  ]
}

/** The new machine gets the password as the old one sealed it, and restores. */
function restore(
  { backup, drilledSnapshot, newTaskId: taskId }: BackupFacts,
  chore: ElsewhereChore,
  { instanceId, box }: { instanceId: string; box: string },
): Change[] {
  if (!drilledSnapshot) throw new Error(`The snapshot of the drill ${chore.id} has no row`)
  const params = { backupId: backup.id, ...drilled(drilledSnapshot), box }
  return [
    { kind: 'saveChore', id: chore.id, set: { task_id: taskId } },
    sendTask(taskKinds['backup.drill'], { taskId, instanceId, right: 'read' }, params),
  ]
}

/** Why there is no machine: no room is distinguished, since it passes. */
function madeReason(failure: Reason): Reason {
  const isFull = [failure.key, failure.cause?.key].some((key) => key === 'soldOut' || key === 'noRoomYet')
  return isFull ? { key: 'drillSoldOut' } : { key: 'drillNotMade' }
}

function hasEnded(task: AgentTask | undefined): task is AgentTask {
  return task !== undefined && ['done', 'failed', 'canceled'].includes(task.state)
}
