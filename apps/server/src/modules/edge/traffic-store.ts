import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'

interface TrafficCountersTable {
  cluster_id: string
  /** UTC, the beginning of the hour. */
  hour: Date
  bytes_in: number
  bytes_out: number
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    traffic_counters: TrafficCountersTable
  }
}

/** Bytes from visitors to a cluster (`in`) and back (`out`). */
export interface Traffic {
  in: number
  out: number
}

/** Adds to the counters of the current hour; all of it or nothing. */
export async function addTraffic(db: Db, at: Date, byCluster: ReadonlyMap<string, Traffic>): Promise<void> {
  const hour = new Date(at)
  hour.setUTCMinutes(0, 0, 0)
  const rows = [...byCluster].map(([cluster_id, { in: bytes_in, out: bytes_out }]) => ({
    cluster_id,
    hour,
    bytes_in,
    bytes_out,
  }))
  // In one order everywhere: two edges that add to the same clusters would otherwise wait for each other.
  rows.sort((a, b) => (a.cluster_id < b.cluster_id ? -1 : 1))
  await db
    .insertInto('traffic_counters')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['cluster_id', 'hour']).doUpdateSet({
        bytes_in: sql<number>`traffic_counters.bytes_in + excluded.bytes_in`,
        bytes_out: sql<number>`traffic_counters.bytes_out + excluded.bytes_out`,
      }),
    )
    .execute()
}

/** What a cluster's visitors moved from the hour of `from` on, bytes. */
export async function sumTraffic(db: Db, clusterId: string, from: Date): Promise<Traffic> {
  const row = await db
    .selectFrom('traffic_counters')
    .select([
      sql<number>`coalesce(sum(bytes_in), 0)::bigint`.as('in'),
      sql<number>`coalesce(sum(bytes_out), 0)::bigint`.as('out'),
    ])
    .where('cluster_id', '=', clusterId)
    .where('hour', '>=', sql<Date>`date_trunc('hour', ${from}::timestamptz, 'UTC')`)
    .executeTakeFirstOrThrow()
  return row
}
