/** Begins the runs of a backup at its slots, forgets what its rules do not keep, and prunes. */
import { taskKinds } from '@atoll/contract/agents'
import { Reason } from '@atoll/contract/api'
import { nextRunOf } from '../rules/next-run.ts'
import { storeReason } from '../rules/reason-text.ts'
import { waitReason } from '../rules/wait-reason.ts'
import type { SnapshotRow } from '../tables.ts'
import { type Change, moveRun, sendTask } from './changes.ts'
import { type BackupFacts, hasJustFailed, mayMaintain } from './facts.ts'
import { noteTrouble } from './warn.ts'

/** After this time a run that could not be sent is given up. ms */
const longestWaitMs = 24 * 3600_000
const weekMs = 7 * 24 * 3600_000

/** Begins the run of the slot that is due. While a run is under way the slot waits for its end. */
export function beginDueRun(facts: BackupFacts): Change[] {
  const { backup, run, at, instanceId } = facts
  if (instanceId === undefined) return endWithCluster(facts)
  if (backup.next_at === null || backup.next_at > at) return []
  if (run && run.state !== 'Pending') return []
  const { slot, at: nextAt } = nextRunOf(backup, backup.slots_until, at)
  return [
    ...(slot && run ? giveUp(facts, run) : []),
    ...(slot ? [{ kind: 'insertRun', scheduledFor: slot } as const] : []),
    { kind: 'saveBackup', set: { next_at: nextAt, slots_until: slot ?? at } },
  ]
}

/** A run that has waited for a day is given up. */
export function giveUpLate(facts: BackupFacts): Change[] {
  const { run, at } = facts
  if (run?.state !== 'Pending' || at.getTime() - run.created_at.getTime() <= longestWaitMs) return []
  return giveUp(facts, run)
}

function giveUp(facts: BackupFacts, run: SnapshotRow): Change[] {
  // No mail about a machine that is off: alert rules cover that. Otherwise the owner can help, and is told how.
  const waited = run.reason === null ? undefined : Reason.safeParse(JSON.parse(run.reason)).data
  const wasAway = !facts.agent?.connected || waited?.key === 'backupWaitsMachine'
  return [
    ...moveRun(facts.at, 'snapshots', run, 'fail', { reason: storeReason({ key: 'backupGivenUp' }) }),
    ...(!wasAway && waited ? noteTrouble(facts, 'run', waited) : []),
  ]
}

/** The cluster is gone: nothing can run on it any more; what was stored stays. */
function endWithCluster({ at, backup, run, restore }: BackupFacts): Change[] {
  const reason = storeReason({ key: 'backupClusterLost' })
  const isOwn = restore?.reader_cluster_id === null
  return [
    ...(run ? moveRun(at, 'snapshots', run, 'fail', { reason }) : []),
    ...(restore && isOwn ? moveRun(at, 'restores', restore, 'fail', { reason }) : []),
    ...(backup.next_at === null ? [] : [{ kind: 'saveBackup', set: { next_at: null } } as const]),
  ]
}

/** Forgets what the rules do not keep, as the preview lists it. */
export function forgetOld(facts: BackupFacts): Change[] {
  const { upkeep } = facts
  if (!mayMaintain(facts) || !upkeep || upkeep.remove.length === 0) return []
  return [{ kind: 'forget', rows: upkeep.remove.map(({ id, restic_id }) => ({ id, restic_id })) }]
}

/**
 * Prunes what no snapshot needs once a week, or at once where the next run has no room; where the machine can at once,
 * since nobody waits for it.
 */
export function prune(facts: BackupFacts): Change[] {
  const { at, backup, agent, instanceId, upkeep, newTaskId: taskId } = facts
  if (!mayMaintain(facts) || !backup.has_repository) return []
  if (!upkeep?.unpruned || hasJustFailed(at, upkeep.lastPrune)) return []
  const { isShort, isAtReserve, maxMoved } = upkeep.unpruned
  const since = backup.pruned_at ?? backup.created_at
  if (at.getTime() - since.getTime() < weekMs && !isShort && !isAtReserve) return []
  const waits = waitReason({ agent, password: backup.password, isFull: false })
  if (waits || instanceId === undefined || backup.password !== 'kept') return []
  const params = { backupId: backup.id, ...(maxMoved !== undefined && { maxMoved }) }
  return [
    { kind: 'insertChore', snapshotIds: [], chore: { kind: 'prune', task_id: taskId } },
    sendTask(taskKinds['backup.prune'], { taskId, instanceId, right: 'prune' }, params),
  ]
}
