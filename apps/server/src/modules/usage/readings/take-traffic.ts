import { sql } from 'kysely'
import type { Trx } from '../../../platform/db/index.ts'
import { hourlyTraffic } from '../../edge/index.ts'
import { keepMark } from './reading-tables.ts'

export const hourMs = 60 * 60_000
/** Counters are written a while after what they count: an hour is closed so long after its end, ms. */
export const settleMs = 10 * 60_000
/** How far back hours that were read are searched for later additions, ms. */
export const lateMs = 3 * 24 * hourMs

/** The end of the last hour that is closed at `now`. */
function closedUntil(now: Date): Date {
  return new Date(Math.floor((now.getTime() - settleMs) / hourMs) * hourMs)
}

/** The source of the readings of a counter, in SQL over its columns. */
export const sourceOfCounter = sql<string>`
  'traffic ' || c.cluster_id || ' ' || c.kind || ' ' || to_char(c.hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24"Z"')`

/**
 * Reads the traffic of each hour that is closed: what its counter says, less what was read of it before. Our edge and
 * our relay are one network, as an operator's frps is. Safe to repeat, at any time and in any order.
 */
export async function takeTraffic(trx: Trx, now: Date): Promise<void> {
  const until = closedUntil(now)
  const { rows } = await sql<{ last: Date | null }>`
    select max(from_at) as last from meter_readings where product_type = 'cloud_traffic'`.execute(trx)
  const last = rows[0]?.last?.getTime() ?? 0
  const since = new Date(Math.min(last, now.getTime() - lateMs))
  await sql`
    with closed as (
      select c.cluster_id, owned.owner, c.kind, c.hour, c.bytes, ${sourceOfCounter} as source_key
      from ${hourlyTraffic} c join owned_clusters owned on owned.id = c.cluster_id
      where c.hour >= ${since} and c.hour < ${until}
    ), taken as (
      select source_key, sum(bytes) as bytes, max(seq) as seq from meter_readings
      where product_type = 'cloud_traffic' and from_at >= ${since} and from_at < ${until} group by source_key
    )
    insert into meter_readings (owner, cluster_id, series, product_type, network, from_at, to_at, bytes, source_key, seq,
      taken_at)
    select owner, cluster_id, cluster_id, 'cloud_traffic', case kind when 'edge' then 'FrpNetwork' else kind end,
      hour, hour + interval '1 hour', closed.bytes - coalesce(taken.bytes, 0), source_key, coalesce(taken.seq, 0) + 1,
      ${now}
    from closed left join taken using (source_key)
    where closed.bytes <> coalesce(taken.bytes, 0)
    order by hour, source_key
    on conflict do nothing`.execute(trx)
  await keepMark(trx, 'traffic', until, now)
}
