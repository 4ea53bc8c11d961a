/**
 * Restores on clusters that are created for them: sent to the new machine once it is there and its password was given,
 * and read when they end. A wrong password ends the task but not the restore, which waits for another password; nothing
 * on the machine is done twice. Each change of a restore affects the cluster, so the cluster's own reconcile is
 * enqueued.
 */
import { RestoreResult, taskKinds } from '@atoll/contract/agents'
import type { AgentTask } from '../../agents/index.ts'
import type { ClusterRestoreRow } from '../records/cluster-restore-store.ts'
import { failureReason } from '../rules/failure-reason.ts'
import { storeReason } from '../rules/reason-text.ts'
import { waitReason } from '../rules/wait-reason.ts'
import { type Change, endTask, moveRun, noteWait, sendTask } from './changes.ts'
import { type BackupFacts, type ClusterRestore, isLostTo } from './facts.ts'
import { failureOf, followTask, unreadReason } from './settle.ts'

export function restoreClusters(facts: BackupFacts): Change[] {
  for (const restore of facts.clusterRestores) {
    const changes = settle(facts, restore)
    if (changes.length > 0) return wakesCluster(restore.row, changes) ? [...changes, wake(restore.row)] : changes
  }
  return []
}

function wake({ target_cluster_id: clusterId }: ClusterRestoreRow): Change {
  return { kind: 'wakeCluster', clusterId }
}

/** Whether the cluster's status follows from what is changed. */
function wakesCluster({ state, needs_password }: ClusterRestoreRow, changes: readonly Change[]): boolean {
  return changes.some((change) => {
    if (change.kind !== 'saveRestore') return false
    const { state: to = state, needs_password: needs = needs_password } = change.set
    return to !== state || needs !== needs_password
  })
}

function settle(facts: BackupFacts, restore: ClusterRestore): Change[] {
  const { at } = facts
  const { row, machine, task } = restore
  if (machine.instanceId === undefined) {
    const reason = storeReason({ key: 'backupClusterLost' })
    return [...endTask(row.task_id), ...moveRun(at, 'restores', row, 'fail', { reason })]
  }
  const { changes, ended } = followTask(at, 'restores', row, { task, isLost: isLostTo(machine, task) })
  if (ended) return [...changes, ...end(facts, row, ended)]
  return changes.length > 0 || row.state !== 'Pending' || row.cancel_asked ? changes : send(facts, restore)
}

function end({ at, backup }: BackupFacts, row: ClusterRestoreRow, task: AgentTask): Change[] {
  const result = RestoreResult.safeParse(task.result)
  if (result.success && result.data.outcome === 'done') {
    const { files, bytes, unreadFiles = 0 } = result.data
    // A machine in the place of the one that was backed up: it holds the plan's password from now on.
    const isOwn = row.target_cluster_id === backup.cluster_id
    const set = { files, size: bytes, reason: unreadReason(unreadFiles) }
    return [
      ...(isOwn ? [{ kind: 'saveBackup', set: { password: 'kept', box: null } } as const] : []),
      ...moveRun(at, 'restores', row, 'complete', set),
    ]
  }
  const { failure, text } = failureOf(task, result.data)
  const reason = storeReason(failureReason(failure, text))
  if (failure !== 'wrong_password' && failure !== 'no_password') return moveRun(at, 'restores', row, 'fail', { reason })
  return moveRun(at, 'restores', row, 'lose', { task_id: null, reason, needs_password: true, box: null })
}

/** Sends the restore, or records why it waits: an older active cluster of the same ID has to be disabled first. */
function send(facts: BackupFacts, { row, machine, snapshot, hasActiveKin }: ClusterRestore): Change[] {
  const { at, backup, newTaskId: taskId, product } = facts
  const { agent, instanceId } = machine
  if (row.needs_password) {
    // The reason that refused the last one stays shown.
    return row.reason === null ? noteWait('restores', row, { key: 'backupWaitsPassword' }) : []
  }
  if (hasActiveKin) return noteWait('restores', row, { key: 'backupWaitsGuard', params: { product } })
  const waits = waitReason({ agent, password: 'given', isFull: false })
  if (waits || instanceId === undefined) return noteWait('restores', row, { key: waits ?? 'backupWaitsMachine' })
  const { box } = row
  const params = {
    backupId: backup.id,
    snapshotId: snapshot?.restic_id ?? '',
    ...(box !== null && { box }),
    ...(snapshot && snapshot.size !== null && { bytes: snapshot.size }),
    target: { way: 'newCluster' as const },
  }
  return [
    ...moveRun(at, 'restores', row, 'send', { task_id: taskId }),
    sendTask(taskKinds['backup.restore'], { taskId, instanceId, right: 'read' }, params),
  ]
}
