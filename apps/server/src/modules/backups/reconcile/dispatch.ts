/** Gives what waits to the machine, as tasks with a right to the repository for as long as they last. */
import { taskKinds } from '@atoll/contract/agents'
import type { Reason, ReasonKey } from '@atoll/contract/api'
import { newId } from '../../../platform/crypto.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { countSentRuns } from '../records/backup-store.ts'
import type { RestoreRow, SnapshotRow } from '../records/tables.ts'
import { waitReason } from '../rules/wait-reason.ts'
import { insertChore } from './chores.ts'
import { storeReason } from './reason-text.ts'
import { move } from './settle.ts'
import type { BackupWorld } from './world.ts'

/** The longest that a task has its right to the repository; a longer one is refused there and fails. ms */
const grantMs = { write: 24 * 3600_000, read: 24 * 3600_000, prune: 3600_000 } as const

/** A run that waits is sent, or says what it waits for. */
export async function dispatchRun(deps: BackupDeps, world: BackupWorld): Promise<void> {
  const { trx, run, backup, agent, instanceId } = world
  if (run?.state !== 'Pending') return
  const isFull = (await countSentRuns(trx)) >= deps.config.vaultRuns
  const waits = waitReason({ agent, password: backup.password, isFull })
  if (waits || instanceId === undefined) return await noteWait(world, 'snapshots', run, waits ?? 'backupWaitsMachine')
  const { taskId, repository } = await grant(deps, world, 'write')
  await move(world, 'snapshots', run, 'send', { task_id: taskId })
  await trx
    .updateTable('snapshots')
    .set({ kind: backup.has_repository ? 'Incremental' : 'Fully' })
    .where('id', '=', run.id)
    .execute()
  const { id: backupId, box, has_repository: hasRepository } = backup
  const params = { repository, backupId, paths: run.paths, first: !hasRepository, ...(box !== null && { box }) }
  await deps.agents.requestTask(trx, taskKinds['backup.run'], { taskId, instanceId, params })
}

/** A restore that waits is sent; one that replaces files after the run that was made for it is completed. */
export async function dispatchRestore(deps: BackupDeps, world: BackupWorld): Promise<void> {
  const { trx, restore, backup, agent, instanceId } = world
  if (restore?.state !== 'Pending') return
  const before = restore.after_snapshot_id === null ? undefined : await getSnapshot(world, restore.after_snapshot_id)
  if (before && before.ended_at === null) return await noteWait(world, 'restores', restore, 'backupWaitsRun')
  if (before && before.state !== 'Completed')
    return await move(world, 'restores', restore, 'fail', { reason: storeReason({ key: 'backupRunMissing' }) })
  const box = restore.box ?? backup.box
  const waits = waitReason({ agent, password: restore.box ? 'given' : backup.password, isFull: false })
  if (waits || instanceId === undefined) {
    return await noteWait(world, 'restores', restore, waits ?? 'backupWaitsMachine')
  }
  const snapshot = await getSnapshot(world, restore.snapshot_id)
  const { taskId, repository } = await grant(deps, world, 'read')
  await move(world, 'restores', restore, 'send', { task_id: taskId })
  const params = {
    ...{ repository, backupId: backup.id, snapshotId: snapshot.restic_id ?? '', ...(box !== null && { box }) },
    target:
      restore.way === 'newFolder'
        ? ({ way: 'newFolder' } as const)
        : ({ way: 'replace', paths: snapshot.paths } as const),
  }
  await deps.agents.requestTask(trx, taskKinds['backup.restore'], { taskId, instanceId, params })
}

/** Forgets these snapshots, or prunes: only where the machine can at once, since nobody waits for it. */
export async function dispatchChore(
  deps: BackupDeps,
  world: BackupWorld,
  kind: 'forget' | 'prune',
  snapshots: readonly { id: string; restic_id: string }[],
): Promise<void> {
  const { trx, backup, agent, instanceId } = world
  const isReady = !waitReason({ agent, password: backup.password, isFull: false })
  if (!isReady || instanceId === undefined || backup.password !== 'kept') return
  const resticIds = snapshots.map(({ restic_id }) => restic_id)
  const { taskId, repository } = await grant(deps, world, 'prune', resticIds)
  const ids = snapshots.map(({ id }) => id)
  await insertChore(world, ids, { kind, task_id: taskId })
  const common = { repository, backupId: backup.id }
  if (kind === 'prune')
    await deps.agents.requestTask(trx, taskKinds['backup.prune'], { taskId, instanceId, params: common })
  else {
    const params = { ...common, snapshots: resticIds }
    await deps.agents.requestTask(trx, taskKinds['backup.forget'], { taskId, instanceId, params })
  }
}

export async function grant(
  { vault }: BackupDeps,
  { trx, at, backup }: Pick<BackupWorld, 'trx' | 'at' | 'backup'>,
  right: 'read' | 'write' | 'prune',
  snapshots?: string[],
) {
  const taskId = newId('at')
  const until = new Date(at.getTime() + grantMs[right])
  const asked = { repositoryId: backup.repo_id, right, taskId, until, ...(snapshots && { deletes: { snapshots } }) }
  return { taskId, repository: await vault.grant(trx, asked) }
}

export async function getSnapshot({ trx }: Pick<BackupWorld, 'trx'>, id: string): Promise<SnapshotRow> {
  return await trx.selectFrom('snapshots').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export async function noteWait(
  { trx }: Pick<BackupWorld, 'trx'>,
  table: 'snapshots' | 'restores',
  row: SnapshotRow | RestoreRow,
  key: ReasonKey,
  params: Reason['params'] = {},
): Promise<void> {
  const reason = storeReason({ key, ...(Object.keys(params).length > 0 && { params }) })
  if (row.reason !== reason) await trx.updateTable(table).set({ reason }).where('id', '=', row.id).execute()
}
