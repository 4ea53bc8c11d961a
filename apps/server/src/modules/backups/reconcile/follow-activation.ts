/**
 * A cluster that was made of a backup takes its plan over once it is activated, as it is the one that holds the files
 * from then on. Where the plan's own cluster is still there, its owner is asked first (`backup/move`). Drills make no
 * such restore. The machine kept the password when it restored.
 */
import type { Trx } from '../../../platform/db/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { findOpenWork, listClusterBackups } from '../records/backup-store.ts'
import { noteHeld } from '../records/note-held.ts'
import { fitBeside } from '../rules/fit-beside.ts'
import { nextRunOf } from '../rules/next-run.ts'
import type { BackupRow } from '../tables.ts'
import { stopChore } from './chores.ts'
import { type BackupFacts, endTask } from './facts.ts'
import { move } from './settle.ts'

export async function followActivation(deps: BackupDeps, { trx, at, backup, instanceId }: BackupFacts): Promise<void> {
  const restores = await trx
    .selectFrom('restores')
    .select(['id', 'target_cluster_id'])
    .where('backup_id', '=', backup.id)
    .where('way', '=', 'newCluster')
    .where('state', '=', 'Completed')
    .where('activated_at', 'is', null)
    .orderBy('ended_at')
    .execute()
  for (const { id, target_cluster_id: target } of restores) {
    if (target === null || !(await deps.findActiveCluster(trx, [target]))) continue
    await trx.updateTable('restores').set({ activated_at: at }).where('id', '=', id).execute()
    if (target === backup.cluster_id) continue
    if (instanceId === undefined) await movePlan(deps, { trx, at, backup, clusterId: target })
    else await trx.updateTable('backups').set({ move_to: target }).where('id', '=', backup.id).execute()
  }
}

/** Gives a plan to another cluster. Its name and its slot stay where they are free there; else it waits, paused. */
export async function movePlan(
  deps: BackupDeps,
  { trx, at, backup, clusterId }: { trx: Trx; at: Date; backup: BackupRow; clusterId: string },
): Promise<void> {
  const place = { trx, at, backup }
  const { run, chore } = await findOpenWork(trx, backup.id)
  // The run under way on the old machine is started again on the new one.
  if (run) {
    await endTask(deps, trx, run.task_id)
    await move(place, 'snapshots', run, 'lose', { task_id: null })
  }
  if (chore && chore.kind !== 'drill') await stopChore(deps, place, chore)
  const others = await listClusterBackups(trx, clusterId)
  const { name, isSlotFree } = fitBeside(others, backup)
  const state = backup.state === 'active' && !isSlotFree ? 'paused' : backup.state
  const moved = { ...backup, time_zone: others[0]?.time_zone ?? backup.time_zone, slots_until: at }
  await trx
    .updateTable('backups')
    .set({
      cluster_id: clusterId,
      former_clusters: [...backup.former_clusters, backup.cluster_id],
      move_to: null,
      name,
      state,
      time_zone: moved.time_zone,
      slots_until: at,
      password: 'kept',
      box: null,
      new_box: null,
      old_key: null,
      new_box_reason: null,
      next_at: state === 'active' ? nextRunOf(moved, at, at).at : null,
    })
    .where('id', '=', backup.id)
    .execute()
  await deps.moveRepository(trx, { repositoryId: backup.repo_id, clusterId })
  await noteHeld(deps, trx, { ...backup, cluster_id: clusterId })
  const [to] = await deps.listClusterNames(trx, [clusterId])
  await recordAudit(trx, {
    actor: 'system',
    ip: null,
    action: 'backup.move',
    object: { kind: 'backup', id: backup.id, owner: backup.owner, name },
    after: { cluster: to?.clusterName ?? clusterId },
  })
}
