/** Restores on clusters that are made for them; of one backup there may be several, one for each cluster. */
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { RestoreRow } from '../tables.ts'
import '../tables.ts'

export type ClusterRestoreRow = RestoreRow & { target_cluster_id: string }

function query(db: Db) {
  return db
    .selectFrom('restores')
    .selectAll()
    .where('way', '=', 'newCluster')
    .$narrowType<{ target_cluster_id: string }>()
}

/** Those of a backup that are under way. */
export async function listClusterRestores(db: Db, backupId: string): Promise<ClusterRestoreRow[]> {
  return await query(db).where('backup_id', '=', backupId).where('ended_at', 'is', null).orderBy('id').execute()
}

export async function listRestoresById(db: Db, ids: readonly string[]): Promise<ClusterRestoreRow[]> {
  return ids.length === 0 ? [] : await query(db).where('id', 'in', ids).execute()
}

/** The one that is under way on a cluster, or else the newest. */
export async function findRestoreOf(db: Db, owner: string, clusterId: string): Promise<ClusterRestoreRow | undefined> {
  return await query(db)
    .where('owner', '=', owner)
    .where('target_cluster_id', '=', clusterId)
    .orderBy('ended_at', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst()
}

/** Backups that this cluster was made of, where nobody has noticed yet that it is activated. */
export async function listUnnoticed(db: Db, clusterId: string): Promise<string[]> {
  const rows = await query(db)
    .where('target_cluster_id', '=', clusterId)
    .where('state', '=', 'Completed')
    .where('activated_at', 'is', null)
    .execute()
  return rows.map(({ backup_id }) => backup_id)
}

export interface NewClusterRestoreRow {
  backupId: string
  snapshotId: string
  owner: string
  clusterId: string
  at: Date
  /** It is sent once a password was given; else at once, and the machine may have it already. */
  needsPassword: boolean
}

export async function insertClusterRestore(trx: Trx, restore: NewClusterRestoreRow): Promise<string> {
  const id = newId('rs')
  await trx
    .insertInto('restores')
    .values({
      id,
      backup_id: restore.backupId,
      snapshot_id: restore.snapshotId,
      owner: restore.owner,
      way: 'newCluster',
      target_cluster_id: restore.clusterId,
      state: 'Pending',
      box: null,
      needs_password: restore.needsPassword,
      created_at: restore.at,
    })
    .execute()
  return id
}

/** Ends the restore that is under way on a cluster, whose machine is gone. At most one is. */
export async function endClusterRestore(
  trx: Trx,
  { owner, clusterId, at }: { owner: string; clusterId: string; at: Date },
): Promise<Pick<ClusterRestoreRow, 'backup_id' | 'task_id'> | undefined> {
  return await trx
    .updateTable('restores')
    .set({ state: 'Canceled', ended_at: at, box: null, reason: null, needs_password: false })
    .where('owner', '=', owner)
    .where('target_cluster_id', '=', clusterId)
    .where('way', '=', 'newCluster')
    .where('ended_at', 'is', null)
    .returning(['backup_id', 'task_id'])
    .executeTakeFirst()
}

/** A password for the restore that waits for one, or for its turn, on this cluster; false when none does. */
export async function saveClusterBox(
  trx: Trx,
  backupId: string,
  { clusterId, box }: { clusterId: string; box: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('restores')
    .set({ box, needs_password: false, reason: null })
    .where('backup_id', '=', backupId)
    .where('target_cluster_id', '=', clusterId)
    .where('state', '=', 'Pending')
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
