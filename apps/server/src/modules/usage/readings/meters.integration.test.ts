/**
 * Billing's readings of the lives of machines, from the table of readings, compared with an hour-by-hour calculation.
 */
import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { openHarness } from '../../billing/testing/billing-harness.ts'
import { drawFrom, hour, liveOnce, month, paint, shuffle, start } from '../testing/random-histories.ts'
import { createMeters } from './meters.ts'
import { insertLevels, type Level } from './reading-tables.ts'
import { verifyReadings } from './verify-readings.ts'

const database = useDatabase()
const meters = createMeters({ clock: { now: () => new Date(start + month(12) * hour) } })
const histories = 1000

/** 10^-6 GB-months of byte hours, rounded half to even. */
function toMicros(byteHours: bigint, hours: number): bigint {
  const divisor = 1000n * BigInt(hours)
  const [whole, twice] = [byteHours / divisor, 2n * (byteHours % divisor)]
  if (twice === divisor) return whole + (whole % 2n)
  return twice > divisor ? whole + 1n : whole
}

test.each(['cloud_storage', 'cloud_backup'] as const)(
  '%s of random lives is the mean of each month, in whatever order and however often readings were written',
  async (product) => {
    const draw = drawFrom(20_280_229)
    const told = Array.from({ length: histories }, () => liveOnce(draw))
    const owners: { owner: string; clusters: string[] }[] = []
    for (const isTidy of [true, false]) {
      const { userid: owner, insertCluster } = await openHarness(database)
      const clusters = [await insertCluster(), await insertCluster()].sort()
      const levels = told.flatMap((readings, life) =>
        readings.map(([at, bytes]): Level => {
          const series = `in_${life}`
          const key = `${product} ${owner} ${life} ${at} ${bytes}`
          return { owner, clusterId: clusters[life % 2] ?? '', series, at: new Date(start + at * hour), bytes, key }
        }),
      )
      const written = isTidy ? levels : shuffle([...levels, ...levels.filter(() => draw(10) === 0)], draw)
      await database.db.transaction().execute((trx) => insertLevels(trx, product, written, new Date(start)))
      if (!isTidy) await database.db.transaction().execute((trx) => insertLevels(trx, product, levels, new Date()))
      owners.push({ owner, clusters })
    }
    for (let index = 0; index < 12; index += 1) {
      const span: [number, number] = [month(index), month(index + 1)]
      const [from, to] = span.map((at) => new Date(start + at * hour)) as [Date, Date] // of two
      const heldBy = (parity: number) =>
        told.reduce((sum, one, life) => sum + (life % 2 === parity ? BigInt(paint(one, span)) : 0n), 0n)
      const [even, odd, hours] = [heldBy(0), heldBy(1), span[1] - span[0]]
      expect(even).toBeGreaterThan(0n)
      for (const { owner, clusters } of owners) {
        const { used, parts } = await meters.read(database.db, { userid: owner, productType: product, from, to })
        expect(used).toBe(toMicros(even + odd, hours))
        expect(parts).toEqual([
          { clusterId: clusters[0], used: toMicros(even, hours) },
          { clusterId: clusters[1], used: toMicros(odd, hours) },
        ])
      }
    }
    expect(await verifyReadings(database.db)).toMatchObject({ whole: true })
  },
)
