import type { networkProducts } from '@atoll/contract/wire'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'

/** The carrier of the bytes: our edge to one of our instances, or a network product (spec §3) to a host. */
export type TrafficKind = 'edge' | (typeof networkProducts)[number]

interface TrafficCountersTable {
  cluster_id: string
  /** UTC, the beginning of the hour. */
  hour: Date
  kind: TrafficKind
  bytes_in: number
  bytes_out: number
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    traffic_counters: TrafficCountersTable
  }
}

/** Bytes from visitors to a cluster (`in`) and back (`out`). */
export interface Traffic {
  in: number
  out: number
}

export interface CountedTraffic extends Traffic {
  clusterId: string
  kind: TrafficKind
}

/** Adds to the counters of the current hour; all of it or nothing. Each cluster and kind at most once. */
export async function addTraffic(db: Db, at: Date, counted: readonly CountedTraffic[]): Promise<void> {
  const hour = new Date(at)
  hour.setUTCMinutes(0, 0, 0)
  const rows = counted.map(({ clusterId: cluster_id, kind, in: bytes_in, out: bytes_out }) => ({
    cluster_id,
    hour,
    kind,
    bytes_in,
    bytes_out,
  }))
  // In one order everywhere: two edges that add to the same clusters would otherwise wait for each other.
  rows.sort((a, b) => (a.cluster_id + a.kind < b.cluster_id + b.kind ? -1 : 1))
  await db
    .insertInto('traffic_counters')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['cluster_id', 'hour', 'kind']).doUpdateSet({
        bytes_in: sql<number>`traffic_counters.bytes_in + excluded.bytes_in`,
        bytes_out: sql<number>`traffic_counters.bytes_out + excluded.bytes_out`,
      }),
    )
    .execute()
}

/**
 * Traffic by hour, as a table of another query: cluster_id, hour, kind, and bytes both ways. Its columns are those of
 * the table, so that conditions on them use its indexes.
 */
export const hourlyTraffic = sql`(
  select cluster_id, hour, kind, bytes_in::numeric + bytes_out as bytes from traffic_counters)`

/** The traffic of a cluster's visitors from the hour of `from` on, bytes; of one kind of network, or of all. */
export async function sumTraffic(db: Db, clusterId: string, from: Date, kind?: TrafficKind): Promise<Traffic> {
  const query = db
    .selectFrom('traffic_counters')
    .select([
      sql<number>`coalesce(sum(bytes_in), 0)::bigint`.as('in'),
      sql<number>`coalesce(sum(bytes_out), 0)::bigint`.as('out'),
    ])
    .where('cluster_id', '=', clusterId)
    .where('hour', '>=', sql<Date>`date_trunc('hour', ${from}::timestamptz, 'UTC')`)
  return await (kind ? query.where('kind', '=', kind) : query).executeTakeFirstOrThrow()
}
