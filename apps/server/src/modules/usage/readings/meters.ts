/**
 * Usage as billing reads it: sums of readings. Traffic includes counts of edges that no reading covers yet, so that
 * limits and pages include them at once; by the time a span is complete, readings cover all of it. Nothing is stored
 * here, and prices are not known.
 */
import { divideHalfEven } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import { sha256Hex } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { MeterCuts, Meters, Reading } from '../../billing/index.ts'
import { sumHeld } from './held-levels.ts'
import { readCuts } from './read-cuts.ts'
import { bytesPerMicro, isCharged, levelDivisor, listFlowed, listLevels, type Span } from './reading-rows.ts'
import { findMark } from './reading-tables.ts'
import { hourMs } from './take-traffic.ts'

export function createMeters({ clock }: { clock: Clock }): Meters & MeterCuts {
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
    readCuts: (db, span) => readCuts(clock, db, span),
  }
}

type Sums = Omit<Reading, 'asOf'>

async function readFlow(db: Db, span: Span): Promise<Sums> {
  const { productType, to } = span
  const counted = await listFlowed(db, span)
  const charged = counted.filter(isCharged)
  const uncharged = sumParts(counted.filter((row) => !isCharged(row)))
  const read = productType === 'cloud_traffic' ? await findMark(db, 'traffic') : to
  return {
    used: toMicros(charged.reduce((sum, { bytes }) => sum + BigInt(bytes), 0n)),
    unitLabel: 'GB',
    complete: read !== undefined && read.getTime() >= Math.ceil(to.getTime() / hourMs) * hourMs,
    parts: sumParts(charged),
    ...(uncharged.length > 0 && { uncharged }),
    digest: sha256Hex(counted.map(({ line }) => line).join('\n')),
  }
}

/** By cluster and network, in their order. */
function sumParts(rows: readonly { cluster_id: string; network: string | null; bytes: string }[]): Reading['parts'] {
  const parts = new Map<string, { clusterId: string; network?: string; bytes: bigint }>()
  for (const { cluster_id: clusterId, network, bytes } of rows) {
    const key = `${clusterId} ${network}`
    const sum = (parts.get(key)?.bytes ?? 0n) + BigInt(bytes)
    parts.set(key, { clusterId, ...(network !== null && { network }), bytes: sum })
  }
  const sorted = [...parts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part)
  return sorted.map(({ bytes, ...part }) => ({ ...part, used: toMicros(bytes) }))
}

/** Means over the span in GB, each rounded once. */
async function readLevel(db: Db, span: Span, asOf: Date): Promise<Sums> {
  const { productType, from, to } = span
  const { levels, lines } = await listLevels(db, span)
  const sums = sumHeld(levels, from.getTime(), asOf.getTime())
  const divisor = levelDivisor(span)
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
    digest: sha256Hex(lines.join('\n')),
  }
}

function toMicros(bytes: bigint): bigint {
  return divideHalfEven(bytes, bytesPerMicro)
}
