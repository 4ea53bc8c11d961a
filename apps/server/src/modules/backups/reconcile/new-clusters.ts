/**
 * Restores on clusters that are created for them: sent to the new machine once it is there and its password was given,
 * and read when they end. A wrong password ends the task but not the restore, which waits for another password; nothing
 * on the machine is done twice. Each change of a restore affects the cluster, so the cluster's own reconcile is
 * enqueued.
 */
import { RestoreResult, taskKinds } from '@atoll/contract/agents'
import type { AgentTask } from '../../agents/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { type ClusterRestoreRow, listClusterRestores } from '../records/cluster-restore-store.ts'
import { findLineage } from '../records/lineage-store.ts'
import { failureReason } from '../rules/failure-reason.ts'
import { kinOf } from '../rules/kin.ts'
import { storeReason } from '../rules/reason-text.ts'
import { waitReason } from '../rules/wait-reason.ts'
import { getSnapshot, grant, noteWait } from './dispatch.ts'
import { type BackupFacts, type BackupMachine, endTask, findMachine, isLostTo } from './facts.ts'
import { failureOf, followTask, move, unreadReason } from './settle.ts'

type Place = Pick<BackupFacts, 'trx' | 'at' | 'backup'>

export async function restoreClusters(deps: BackupDeps, { trx, at, backup }: BackupFacts): Promise<void> {
  const place = { trx, at, backup }
  for (const row of await listClusterRestores(trx, backup.id)) {
    const machine = await findMachine(deps, trx, backup, row.target_cluster_id)
    await settle(deps, place, row, machine)
    const [now] = (await listClusterRestores(trx, backup.id)).filter(({ id }) => id === row.id)
    if (now?.state === 'Pending' && !now.cancel_asked) await send(deps, place, now, machine)
    await wakeIfChanged(deps, place, row)
  }
}

/** As the cluster's status follows from it. */
async function wakeIfChanged(deps: BackupDeps, { trx }: Place, before: ClusterRestoreRow): Promise<void> {
  const now = await trx.selectFrom('restores').selectAll().where('id', '=', before.id).executeTakeFirstOrThrow()
  const facts = ({ state, needs_password }: Pick<ClusterRestoreRow, 'state' | 'needs_password'>) =>
    `${state} ${needs_password}`
  if (facts(now) !== facts(before)) await deps.wakeCluster(trx, before.target_cluster_id)
}

async function settle(deps: BackupDeps, place: Place, row: ClusterRestoreRow, machine: BackupMachine): Promise<void> {
  const { trx } = place
  const { instanceId } = machine
  const [task] = await deps.agents.listTasks(trx, row.task_id === null ? [] : [row.task_id])
  if (instanceId === undefined) {
    await endTask(deps, trx, row.task_id)
    return await move(place, 'restores', row, 'fail', { reason: storeReason({ key: 'backupClusterLost' }) })
  }
  const ended = await followTask(deps, place, 'restores', row, { task, isLost: isLostTo(machine, task) })
  if (ended) await end(place, row, ended)
}

async function end(place: Place, row: ClusterRestoreRow, task: AgentTask): Promise<void> {
  const result = RestoreResult.safeParse(task.result)
  if (result.success && result.data.outcome === 'done') {
    const { files, bytes, unreadFiles = 0 } = result.data
    // A machine in the place of the one that was backed up: it holds the plan's password from now on.
    if (row.target_cluster_id === place.backup.cluster_id) {
      const held = { password: 'kept', box: null } as const
      await place.trx.updateTable('backups').set(held).where('id', '=', row.backup_id).execute()
    }
    return await move(place, 'restores', row, 'complete', { files, size: bytes, reason: unreadReason(unreadFiles) })
  }
  const { failure, text } = failureOf(task, result.data)
  if (failure !== 'wrong_password' && failure !== 'no_password') {
    return await move(place, 'restores', row, 'fail', { reason: storeReason(failureReason(failure, text)) })
  }
  await place.trx.updateTable('restores').set({ needs_password: true, box: null }).where('id', '=', row.id).execute()
  await move(place, 'restores', row, 'lose', {
    task_id: null,
    reason: storeReason(failureReason(failure, text)),
  })
}

/** Sends the restore, or records why it waits: an older active cluster of the same ID has to be disabled first. */
async function send(
  deps: BackupDeps,
  place: Place,
  row: ClusterRestoreRow,
  { agent, instanceId }: BackupMachine,
): Promise<void> {
  const { trx, backup } = place
  if (row.needs_password) {
    // The reason that refused the last one stays shown.
    return row.reason === null ? await noteWait(place, 'restores', row, 'backupWaitsPassword') : undefined
  }
  const kin = kinOf(await findLineage(trx, backup), row.target_cluster_id)
  if (await deps.findActiveCluster(trx, kin)) {
    return await noteWait(place, 'restores', row, 'backupWaitsGuard', { product: deps.config.product })
  }
  const waits = waitReason({ agent, password: 'given', isFull: false })
  if (waits || instanceId === undefined) return await noteWait(place, 'restores', row, waits ?? 'backupWaitsMachine')
  const snapshot = await getSnapshot(place, row.snapshot_id)
  const { taskId, repository } = await grant(deps, place, 'read')
  await move(place, 'restores', row, 'send', { task_id: taskId })
  const { box } = row
  await deps.agents.requestTask(trx, taskKinds['backup.restore'], {
    taskId,
    instanceId,
    params: {
      repository,
      backupId: backup.id,
      snapshotId: snapshot.restic_id ?? '',
      ...(box !== null && { box }),
      ...(snapshot.size !== null && { bytes: snapshot.size }),
      target: { way: 'newCluster' },
    },
  })
}
