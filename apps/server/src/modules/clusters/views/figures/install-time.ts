import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/index.ts'
import { lastDone } from '../../../../platform/operations/index.ts'

/** Number of the latest installs that are searched, of any size, and of those of the size that are counted. */
const looked = 500
const counted = 20

/**
 * How long the last installs of a size took, from the payment until the cluster ran: their median, whole seconds; null
 * without any. Clusters that were made of a backup are left out: their files take as long as they are many.
 */
export async function readInstallTime(
  db: Db,
  { cloudName, offering }: { cloudName: string; offering: string },
): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select round(percentile_cont(0.5) within group (order by took))::integer as seconds from (
      select extract(epoch from install.ended_at - install.started_at) as took
      from ${lastDone('create', looked)} as install
      join clusters on clusters.id = install.cluster_id
      join instances as master on master.cluster_id = clusters.id and master.role = 'master'
      where clusters.cloud_name = ${cloudName} and clusters.offering = ${offering} and master.restore_id is null
      order by install.ended_at desc limit ${counted}
    ) as installs`.execute(db)
  return rows[0]?.seconds ?? null
}
