/**
 * What billing reads as used: the sums of readings. Of traffic also what edges have counted and nobody has read yet,
 * so that a limit and a page know it at once; by the time that a span is complete there is none of it. Nothing is
 * stored here, and no price is known.
 */
import type { MeteredProduct } from '@atoll/contract/billing'
import { divideHalfEven } from '@atoll/money'
import { sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import { sha256Hex } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Meters, Reading } from '../../billing/index.ts'
import { carriedMs, sumHeld } from './held-levels.ts'
import { findMark } from './reading-tables.ts'
import { hourMs, sourceOfCounter } from './take-traffic.ts'

/** Of 10^-6 GB. */
const bytesPerMicro = 1000n

interface Span {
  userid: string
  productType: MeteredProduct
  from: Date
  to: Date
}

export function createMeters({ clock }: { clock: Clock }): Meters {
  return {
    async read(db, span) {
      const now = clock.now()
      const asOf = now < span.to ? now : span.to
      switch (span.productType) {
        case 'cloud_traffic':
        case 'cdn_traffic':
          return { ...(await readFlow(db, span)), asOf }
        case 'cloud_storage':
        case 'cloud_backup':
          return { ...(await readLevel(db, span, asOf)), asOf }
      }
    },
  }
}

type Sums = Omit<Reading, 'asOf'>

async function readFlow(db: Db, span: Span): Promise<Sums> {
  const { userid, productType, from, to } = span
  const { rows } = await sql<{ line: string; cluster_id: string; network: string | null; bytes: string }>`
    select id::text || ' ' || digest as line, cluster_id, network, bytes from meter_readings
    where owner = ${userid} and product_type = ${productType} and from_at >= ${from} and from_at < ${to}
    order by id`.execute(db)
  const counted = productType === 'cloud_traffic' ? [...rows, ...(await listUnread(db, span))] : rows
  const parts = new Map<string, { clusterId: string; network?: string; bytes: bigint }>()
  for (const { cluster_id: clusterId, network, bytes } of counted) {
    const key = `${clusterId} ${network}`
    const sum = (parts.get(key)?.bytes ?? 0n) + BigInt(bytes)
    parts.set(key, { clusterId, ...(network !== null && { network }), bytes: sum })
  }
  const sorted = [...parts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part)
  const read = productType === 'cloud_traffic' ? await findMark(db, 'traffic') : to
  return {
    used: toMicros(sorted.reduce((sum, { bytes }) => sum + bytes, 0n)),
    unitLabel: 'GB',
    complete: read !== undefined && read.getTime() >= Math.ceil(to.getTime() / hourMs) * hourMs,
    parts: sorted.map(({ bytes, ...part }) => ({ ...part, used: toMicros(bytes) })),
    digest: sha256Hex(counted.map(({ line }) => line).join('\n')),
  }
}

/** What counters say beyond the readings of them. */
async function listUnread(db: Db, { userid, from, to }: Span) {
  const { rows } = await sql<{ line: string; cluster_id: string; network: string; bytes: string }>`
    with counted as (
      select c.cluster_id, case c.kind when 'edge' then 'FrpNetwork' else c.kind end as network,
        ${sourceOfCounter} as source_key, (c.bytes_in::numeric + c.bytes_out) as bytes
      from clusters join traffic_counters c on c.cluster_id = clusters.id
      where clusters.owner = ${userid} and c.hour >= ${from} and c.hour < ${to}
    ), taken as (
      select source_key, sum(bytes) as bytes from meter_readings
      where owner = ${userid} and product_type = 'cloud_traffic' and from_at >= ${from} and from_at < ${to}
      group by source_key
    )
    select source_key || ' ' || counted.bytes as line, cluster_id, network,
      (counted.bytes - coalesce(taken.bytes, 0))::text as bytes
    from counted left join taken using (source_key)
    where counted.bytes <> coalesce(taken.bytes, 0) order by source_key`.execute(db)
  return rows
}

/** Means over the span in GB, each rounded once. */
async function readLevel(db: Db, { userid, productType, from, to }: Span, asOf: Date): Promise<Sums> {
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
      order by source_key, seq desc) as latest
    order by id`.execute(db)
  const levels = rows.map(({ id, series, cluster_id: clusterId, from_at, bytes }) => ({
    ...{ id, series, clusterId, at: from_at.getTime(), bytes: BigInt(bytes) },
  }))
  const sums = sumHeld(levels, from.getTime(), asOf.getTime())
  const divisor = bytesPerMicro * BigInt(Math.max(to.getTime() - from.getTime(), 1))
  const parts = [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
  const read = await findMark(db, productType === 'cloud_storage' ? 'storage' : 'backup')
  return {
    used: divideHalfEven(
      parts.reduce((sum, [, held]) => sum + held, 0n),
      divisor,
    ),
    unitLabel: 'GB',
    complete: read !== undefined && read >= to,
    parts: parts.map(([clusterId, held]) => ({ clusterId, used: divideHalfEven(held, divisor) })),
    digest: sha256Hex(rows.map(({ line }) => line).join('\n')),
  }
}

function toMicros(bytes: bigint): bigint {
  return divideHalfEven(bytes, bytesPerMicro)
}
