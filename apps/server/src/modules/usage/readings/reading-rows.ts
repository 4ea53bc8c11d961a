/** The rows of readings that the meters sum. */
import type { MeteredProduct } from '@atoll/contract/billing'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { hourlyTraffic } from '../../edge/index.ts'
import { carriedMs, type HeldLevel } from './held-levels.ts'
import { sourceOfCounter } from './take-traffic.ts'

/** Of 10^-6 GB. */
export const bytesPerMicro = 1000n

export interface Span {
  userid: string
  productType: MeteredProduct
  from: Date
  to: Date
  /** Only readings taken until then count. */
  knownBy?: Date | undefined
}

/**
 * Whether traffic is charged above a quota. Traffic through the owner's own Cloudflare tunnel costs us nothing, and
 * only the owner's agent reports its amount: it is shown, not charged.
 */
export function isCharged({ network }: { network: string | null }): boolean {
  return network !== 'CloudflareNetwork'
}

interface Flowed {
  line: string
  cluster_id: string
  network: string | null
  /** When it began to flow. */
  at: Date
  /** Less than nothing where a reading was too much. */
  bytes: string
}

/** Readings of what flowed, and of traffic what counters say beyond them. */
export async function listFlowed(db: Db, span: Span): Promise<Flowed[]> {
  const { userid, productType, from, to, knownBy } = span
  const { rows } = await sql<Flowed>`
    select id::text || ' ' || digest as line, cluster_id, network, from_at as at, bytes from meter_readings
    where owner = ${userid} and product_type = ${productType} and from_at >= ${from} and from_at < ${to}
      and taken_at <= ${knownBy ?? 'infinity'}
    order by id`.execute(db)
  return productType === 'cloud_traffic' && !knownBy ? [...rows, ...(await listUnread(db, span))] : rows
}

async function listUnread(db: Db, { userid, from, to }: Span): Promise<Flowed[]> {
  const { rows } = await sql<Flowed>`
    with counted as (
      select c.cluster_id, c.hour, case c.kind when 'edge' then 'FrpNetwork' else c.kind end as network,
        ${sourceOfCounter} as source_key, c.bytes
      from owned_clusters owned join ${hourlyTraffic} c on c.cluster_id = owned.id
      where owned.owner = ${userid} and c.hour >= ${from} and c.hour < ${to}
    ), taken as (
      select source_key, sum(bytes) as bytes from meter_readings
      where owner = ${userid} and product_type = 'cloud_traffic' and from_at >= ${from} and from_at < ${to}
      group by source_key
    )
    select source_key || ' ' || counted.bytes as line, cluster_id, network, hour as at,
      (counted.bytes - coalesce(taken.bytes, 0))::text as bytes
    from counted left join taken using (source_key)
    where counted.bytes <> coalesce(taken.bytes, 0) order by source_key`.execute(db)
  return rows
}

/** Bytes times ms of a span that are 10^-6 GB on its mean. */
export function levelDivisor({ from, to }: Pick<Span, 'from' | 'to'>): bigint {
  return bytesPerMicro * BigInt(Math.max(to.getTime() - from.getTime(), 1))
}

/** Levels that begin within the span, and those before it that may still hold in it. */
export async function listLevels(
  db: Db,
  { userid, productType, from, to, knownBy }: Span,
): Promise<{ levels: HeldLevel[]; lines: string[] }> {
  const since = new Date(from.getTime() - carriedMs)
  const { rows } = await sql<{
    id: number
    series: string
    cluster_id: string
    from_at: Date
    bytes: string
    line: string
  }>`
    select * from (
      select distinct on (source_key) id, series, cluster_id, from_at, bytes, id::text || ' ' || digest as line
      from meter_readings
      where owner = ${userid} and product_type = ${productType} and from_at > ${since} and from_at < ${to}
        and taken_at <= ${knownBy ?? 'infinity'}
      order by source_key, seq desc) as latest
    order by id`.execute(db)
  const levels = rows.map(({ id, series, cluster_id: clusterId, from_at, bytes }) => ({
    id,
    series,
    clusterId,
    at: from_at.getTime(),
    bytes: BigInt(bytes),
  }))
  return { levels, lines: rows.map(({ line }) => line) }
}
