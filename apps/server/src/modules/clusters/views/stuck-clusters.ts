/**
 * Clusters that need a person: an operation is past its deadline, or a Cloud instance is Errored, until staff gave its
 * operation up and said so. One that waits for its owner's password is not stuck.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Attention } from '../../../platform/attention/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import { lateOperations } from '../../../platform/operations/index.ts'
import '../tables.ts'

/** As a table of a query: cluster_id, since, late_since (null: nothing is past its deadline); a row a cluster. */
interface Stuck {
  cluster_id: string
  since: Date
}

export function stuckClusters(now: Date): RawBuilder<Stuck> {
  return sql<Stuck>`(
    select cluster_id, min(since) as since, min(late_since) as late_since from (
      select late.cluster_id, late.deadline_at as since, late.deadline_at as late_since from ${lateOperations(now)} late
      union all
      select cluster_id, changed_at, null from instances
        where status = 'errored' and (error::json ->> 'key') is distinct from 'staffGaveUp'
    ) found join clusters on clusters.id = cluster_id
    where clusters.purpose = 'user' and clusters.cluster_type = 'Cloud'
      and clusters.status not in ('destroyed', 'canceled', 'restore_error')
    group by cluster_id)`
}

export async function findStuckClusters(db: Db, now: Date): Promise<Attention[]> {
  const { rows } = await sql<{ count: number; since: Date; name: string; id: string }>`
    select count(*) over ()::int as count, stuck.since, clusters.name, clusters.id
    from ${stuckClusters(now)} stuck join clusters on clusters.id = stuck.cluster_id
    order by stuck.since, clusters.id limit 1`.execute(db)
  return rows.map(({ count, since, name, id }) => ({
    severity: 'critical',
    since,
    facts: { count, name },
    ...(count === 1 && { object: id }),
  }))
}
