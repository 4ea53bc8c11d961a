import type { Db } from '../../../platform/db/index.ts'
import type { Lineage } from '../rules/kin.ts'
import type { BackupRow } from '../tables.ts'
import '../tables.ts'

/** The clusters of one backup. Restores that failed or wait count, too: only what is activated is ever in the way. */
export async function findLineage(
  db: Db,
  { id, cluster_id, former_clusters }: Pick<BackupRow, 'id' | 'cluster_id' | 'former_clusters'>,
): Promise<Lineage> {
  const rows = await db
    .selectFrom('restores')
    .select('target_cluster_id')
    .where('backup_id', '=', id)
    .where('target_cluster_id', 'is not', null)
    .$narrowType<{ target_cluster_id: string }>()
    .execute()
  return { sources: [cluster_id, ...former_clusters], made: rows.map(({ target_cluster_id }) => target_cluster_id) }
}

/** Of all backups of an account, also of those that were deleted: what was made of them is there. */
export async function listLineages(db: Db, owner: string): Promise<Lineage[]> {
  const backups = await db
    .selectFrom('backups')
    .select(['id', 'cluster_id', 'former_clusters'])
    .where('owner', '=', owner)
    .execute()
  return await Promise.all(backups.map((backup) => findLineage(db, backup)))
}
