/** Readings in pieces, from their table: whatever the cuts, they sum to what the meters say of the whole. */
import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { openHarness } from '../../billing/testing/billing-harness.ts'
import { drawFrom, hour, liveOnce, month, start } from '../testing/random-histories.ts'
import { createMeters } from './meters.ts'
import { insertLevels, type Level } from './reading-tables.ts'

const database = useDatabase()
const meters = createMeters({ clock: { now: () => new Date(start + month(12) * hour) } })
const at = (hours: number) => new Date(start + hours * hour)
const daysOf = (from: number, to: number) => {
  const cuts = [at(from)]
  for (let next = from + 24; next < to; next += 24) cuts.push(at(next))
  return [...cuts, at(to)]
}
const sum = (pieces: readonly { used: bigint }[]) => pieces.reduce((total, { used }) => total + used, 0n)

test('what is held by day and cluster sums to the mean of the month', async () => {
  const draw = drawFrom(45)
  const { userid: owner, insertCluster } = await openHarness(database)
  const clusters = [await insertCluster(), await insertCluster()]
  const levels = Array.from({ length: 60 }, (_, life) =>
    liveOnce(draw).map(([hours, bytes]): Level => {
      const key = `cuts ${owner} ${life} ${hours} ${bytes}`
      return { owner, clusterId: clusters[life % 2] ?? '', series: `in_${life}`, at: at(hours), bytes, key }
    }),
  ).flat()
  await database.db.transaction().execute((trx) => insertLevels(trx, 'cloud_storage', levels, at(0)))
  for (let index = 0; index < 12; index += 1) {
    const [from, to] = [month(index) + 7, month(index + 1) + 7]
    const of = { userid: owner, productType: 'cloud_storage' as const }
    const whole = await meters.read(database.db, { ...of, from: at(from), to: at(to) })
    const pieces = await meters.readCuts(database.db, { ...of, cuts: daysOf(from, to) })
    expect(whole.used).toBeGreaterThan(0n)
    expect(sum(pieces)).toBe(whole.used)
    for (const { clusterId, used } of whole.parts) {
      // Each piece is rounded to the next 10^-6 GB.
      const own = sum(pieces.filter((piece) => piece.clusterId === clusterId))
      expect(Math.abs(Number(own - used))).toBeLessThanOrEqual(pieces.length)
    }
  }
})

test('what flowed is in the cut in which it began, with its corrections as far as they were known', async () => {
  const { userid: owner, insertCluster } = await openHarness(database)
  const clusterId = await insertCluster()
  const take = (hours: number, bytes: number, seq: number, taken: number, network = 'FrpNetwork') =>
    database.pool.query(
      `insert into meter_readings (owner, cluster_id, series, product_type, network, from_at, to_at, bytes, source_key,
        seq, taken_at) values ($1, $2, $2, 'cloud_traffic', $9, $3, $4, $5, $6, $7, $8)`,
      [owner, clusterId, at(hours), at(hours + 1), bytes, `${network} ${clusterId} ${hours}`, seq, at(taken), network],
    )
  await take(1, 1_000_400, 1, 2)
  await take(23, 2_000_400, 1, 24)
  await take(24, 3_000_400, 1, 25)
  await take(1, -400_000, 2, 100)
  // Shown, and not charged.
  await take(2, 9_000_000, 1, 3, 'CloudflareNetwork')
  const of = { userid: owner, productType: 'cloud_traffic' as const, cuts: daysOf(0, 72) }
  const pieces = await meters.readCuts(database.db, of)
  expect(pieces).toEqual([
    { cut: 0, clusterId, used: 2601n },
    { cut: 1, clusterId, used: 3000n },
  ])
  expect(sum(pieces)).toBe((await meters.read(database.db, { ...of, from: at(0), to: at(72) })).used)
  const before = await meters.readCuts(database.db, { ...of, knownBy: at(99) })
  expect(before.map(({ used }) => used)).toEqual([3001n, 3000n])
  // A jump of the account's clock is a moment: nothing is in it.
  const jumped = await meters.readCuts(database.db, { ...of, cuts: [at(0), at(24), at(24), at(72)] })
  expect(jumped.map(({ cut }) => cut)).toEqual([0, 2])
})
