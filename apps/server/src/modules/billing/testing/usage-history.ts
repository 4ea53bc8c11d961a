/** Histories of usage at random, and what their documents say of each period. */
import type { UsageDays } from '@atoll/contract/billing'
import { addMonths } from '@atoll/money'
import type { TestClock } from '@atoll/testkit'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { Database } from '../../../platform/db/index.ts'
import { listRows, showDays } from '../usage/days/show-days.ts'
import { after, days, end, hours, openUsageHarness, start, type UsageHarness } from './usage-harness.ts'

const month = (count: number) => addMonths(start, count, 'UTC')

/** GB that a cluster of three moved at an hour of two months, known then or corrected later. */
const anyFlow = fc.record({
  hour: fc.integer({ min: 0, max: 24 * 59 - 1 }),
  cluster: fc.nat(2),
  gb: fc.integer({ min: 1, max: 150_000_000 }).map((micros) => micros / 1_000_000),
  /** So much of it is more, or less, from days later on. */
  correction: fc.option(
    fc.record({ share: fc.double({ min: -1, max: 1, noNaN: true }), days: fc.integer({ min: 1, max: 70 }) }),
  ),
})

/** Whatever was corrected, raised and destroyed: clusters and days of a period sum to what was billed of it. */
export async function expectSums(database: Database, clock: TestClock, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyFlow, { minLength: 1, maxLength: 12 }),
      fc.option(fc.integer({ min: 1, max: 55 })),
      fc.option(fc.integer({ min: 0, max: 3000 })),
      async (flows, raise, cap) => {
        const own = await openUsageHarness(database, clock)
        const clusters = [await own.insertCluster(), await own.insertCluster(), await own.insertCluster()]
        await own.change(1)
        if (cap !== null) await own.cap(cap)
        for (const { hour, cluster, gb, correction } of flows) {
          const at = after(hour * hours)
          own.script.flow('cloud_traffic', at, gb, at, clusters[cluster])
          if (!correction) continue
          const more = Math.trunc(gb * correction.share * 1_000_000) / 1_000_000
          own.script.flow('cloud_traffic', at, more, new Date(at.getTime() + correction.days * days), clusters[cluster])
        }
        if (raise !== null) {
          await own.runUntil(after(raise * days))
          await own.change(2)
        }
        await database.pool.query("update clusters set status = 'destroyed' where id = $1", [clusters[0]])
        await own.runUntil(month(5))
        for (const until of [end, month(2)]) await expectDocuments(database, own, until)
      },
    ),
    { numRuns },
  )
}

/** A period by cluster and day, and as CSV, against its lines, credit notes and readings in the database. */
async function expectDocuments({ pool }: Database, own: UsageHarness, until: Date): Promise<void> {
  const begin = addMonths(until, -1, 'UTC')
  const { rows } = await pool.query<{ billed: string; used: string }>(
    `select
      (select coalesce(sum(line.amount_minor - coalesce((select sum(back.amount_minor) from credit_note_items back
          where back.invoice_id = line.invoice_id and back.line = line.line), 0)), 0)
        from invoice_items line where line.userid = $1 and line.revenue = 'usage' and line.period_start = $2) as billed,
      (select coalesce(sum(used), 0) from (select distinct on (from_at) used from usage_readings
        where userid = $1 and product_type = 'cloud_traffic' and from_at >= $2 and from_at < $3
        order by from_at, recorded_at desc) as newest) as used`,
    [own.userid, begin, until],
  )
  const [{ billed, used } = { billed: '', used: '' }] = rows
  const shown = trafficOf(await showDays(own.deps, own.userid, { end: until.toISOString() }))
  const micros = (gb: number) => Math.round(gb * 1_000_000)
  const sum = (figures: readonly number[]) => figures.reduce((total, one) => total + one, 0)
  expect([shown.amount, micros(shown.used)]).toEqual([Number(billed), Number(used)])
  const { clusters } = shown
  expect(sum(clusters.map(({ amount }) => amount))).toBe(Number(billed))
  expect(sum(clusters.map((one) => micros(one.used)))).toBe(Number(used))
  expect(sum(clusters.flatMap((one) => one.days.map(micros)))).toBe(Number(used))
  expect(sum(clusters.map(({ overage }) => micros(overage)))).toBe(micros(shown.overage))
  const lines = await listRows(own.deps, own.userid, { end: until.toISOString() })
  expect(sum(lines.map(({ amount }) => amount.minor))).toBe(Number(billed))
  expect(sum(lines.map((row) => Number(row.used)))).toBe(Number(used))
}

function trafficOf({ products }: UsageDays): UsageDays['products'][number] {
  const found = products.find(({ productType }) => productType === 'cloud_traffic')
  if (!found) throw new Error('There is no traffic')
  return found
}
