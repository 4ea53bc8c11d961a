/**
 * For announcements and the status page: which accounts have clusters in a region, and how many clusters answer there.
 */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/index.ts'
import { endedStatuses } from '../../instances/instance-store.ts'

/** Cloud and region, as `atoll/lagoon`. */
const regionOf = sql<string>`clusters.cloud_name || '/' || clusters.region_id`

/** Customers' clusters of clouds that are meant to run, for each region: those with contact, and those without. */
export async function countAnswering(db: Db): Promise<{ region: string; running: number; offline: number }[]> {
  return await db
    .selectFrom('clusters')
    .where('cluster_type', '=', 'Cloud')
    .where('purpose', '=', 'user')
    .where('status', 'in', ['running', 'offline'])
    .select([
      regionOf.as('region'),
      sql<number>`count(*) filter (where status = 'running')::int`.as('running'),
      sql<number>`count(*) filter (where status = 'offline')::int`.as('offline'),
    ])
    .groupBy(regionOf)
    .execute()
}

/** Where this account has clusters. */
export async function listRegionsOf(db: Db, owner: string): Promise<string[]> {
  const rows = await db
    .selectFrom('clusters')
    .where('owner', '=', owner)
    .where('status', 'not in', endedStatuses)
    .where('region_id', 'is not', null)
    .select(regionOf.as('region'))
    .distinct()
    .execute()
  return rows.map(({ region }) => region)
}

/** Up to `limit` customers after `after` with a cluster in one of `regions`; of none named, with any cluster. */
export async function listOwnersIn(
  db: Db,
  { regions, after, limit }: { regions: readonly string[]; after: string; limit: number },
): Promise<string[]> {
  let query = db
    .selectFrom('clusters')
    .where('purpose', '=', 'user')
    .where('status', 'not in', endedStatuses)
    .where('owner', '>', after)
  if (regions.length > 0) query = query.where(regionOf, '=', sql<string>`any(${[...regions]}::text[])`)
  const rows = await query.select('owner').distinct().orderBy('owner').limit(limit).execute()
  return rows.map(({ owner }) => owner)
}
