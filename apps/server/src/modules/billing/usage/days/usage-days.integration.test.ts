/** Usage by cluster and by day, of this period and of past ones, against the documents that charge it. */
import type { UsageDays } from '@atoll/contract/billing'
import { addMonths } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { after, days, end, hours, openUsageHarness, start, type UsageHarness } from '../../testing/usage-harness.ts'
import { expectSums } from '../../testing/usage-history.ts'
import { listUsage } from '../show-usage.ts'
import { listRows, pagePeriods, showDays } from './show-days.ts'

const clock = createTestClock(start)
const database = useDatabase()
let harness: UsageHarness

beforeEach(async () => {
  harness = await openUsageHarness(database, clock)
})

const month = (count: number) => addMonths(start, count, 'UTC')
const show = (until?: Date, of = harness) => showDays(of.deps, of.userid, until ? { end: until.toISOString() } : {})
const trafficOf = ({ products }: UsageDays) => {
  const found = products.find(({ productType }) => productType === 'cloud_traffic')
  if (!found) throw new Error('There is no traffic')
  return found
}
const list = (page: number, rowsPerPage: number) => pagePeriods(harness.deps, harness.userid, { page, rowsPerPage })
/** A cluster of that name. */
async function insertCluster(name: string): Promise<string> {
  const id = await harness.insertCluster()
  await database.pool.query('update clusters set name = $2 where id = $1', [id, name])
  return id
}

describe('usage by day', () => {
  test('says what each cluster used when, from when on it was charged, and agrees with plan/usage', async () => {
    const [rangiroa, fakarava] = [await insertCluster('Rangiroa'), await insertCluster('Fakarava')]
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(2 * days), 200, start, rangiroa)
    harness.script.flow('cloud_traffic', after(4 * days + hours), 80, start, fakarava)
    harness.script.flow('cloud_traffic', after(4 * days + 2 * hours), 40, start, rangiroa)
    clock.set(after(6 * days))
    const shown = await show()
    expect(shown).toMatchObject({ start: start.toISOString(), end: end.toISOString(), isRunning: true, planLevel: 1 })
    expect([shown.days.length, shown.days[0], shown.days.at(-1)]).toEqual([31, '2027-01-01', '2027-01-31'])
    const traffic = trafficOf(shown)
    // 20 GB above 300, all of them by what came last, at 3 cents.
    expect(traffic).toMatchObject({ used: 320, quota: 300, overage: 20, amount: 60, invoices: [] })
    expect(traffic.clusters).toMatchObject([
      { clusterId: rangiroa, name: 'Rangiroa', used: 240, overage: 20, amount: 60 },
      { clusterId: fakarava, name: 'Fakarava', used: 80, overage: 0, amount: 0 },
    ])
    expect(traffic.clusters[0]?.days.slice(0, 6)).toEqual([0, 0, 200, 0, 40, 0])
    const planned = await listUsage(harness.deps, harness.userid)
    expect(shown.products).toMatchObject(
      planned.map(({ productType, used, quota, overage, amount }) => ({ productType, used, quota, overage, amount })),
    )
  })

  test('of a billed period has the names of its bill, though a cluster has another by now', async () => {
    const renamed = await insertCluster('accounting')
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(2 * days), 350, start, renamed)
    const rename = (name: string) => database.pool.query('update clusters set name = $2 where id = $1', [renamed, name])
    const namesOf = async (until?: Date) => trafficOf(await show(until)).clusters.map(({ name }) => name)
    clock.set(after(3 * days))
    await rename('books')
    expect(await namesOf()).toEqual(['books'])
    await harness.runUntil(end)
    await rename('party-photos')
    expect(await namesOf(end)).toEqual(['books'])
    const rows = await listRows(harness.deps, harness.userid, { end: end.toISOString() })
    expect(rows.map(({ cluster }) => cluster)).toEqual(['books'])
    // Usage within the quota was on no bill.
    harness.script.flow('cloud_traffic', new Date(end.getTime() + days), 10, start, renamed)
    clock.set(new Date(end.getTime() + 2 * days))
    expect(await namesOf()).toEqual(['party-photos'])
  })

  test('of a billed period stays what its bill says until a correction is billed, which names both bills', async () => {
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(days), 310, start)
    await harness.runUntil(end)
    harness.script.flow('cloud_traffic', after(days), 100, after(40 * days))
    clock.set(after(41 * days))
    expect(trafficOf(await show(end))).toMatchObject({ used: 310, overage: 10, amount: 30, invoices: [{}] })
    await harness.runUntil(month(2))
    const corrected = trafficOf(await show(end))
    expect(corrected).toMatchObject({ used: 410, overage: 110, amount: 330, invoices: [{}, {}] })
    expect(corrected.clusters).toMatchObject([{ used: 410, overage: 110, amount: 330 }])
    harness.script.flow('cloud_traffic', after(days), -200, after(62 * days))
    await harness.runUntil(month(3))
    expect(trafficOf(await show(end))).toMatchObject({ used: 210, overage: 0, amount: 0, clusters: [{ amount: 0 }] })
  })

  test('lists the periods to the first day, on Free too, and refuses one that there was not', async () => {
    clock.set(after(10 * days))
    await harness.change(1)
    await harness.runUntil(after(45 * days))
    await harness.change(0)
    await harness.runUntil(after(75 * days))
    const anchored = (count: number) => addMonths(after(10 * days), count, 'UTC').toISOString()
    const { running, periods } = await list(1, 20)
    expect(running).toEqual({ start: month(2).toISOString(), end: month(3).toISOString() })
    expect(periods).toMatchObject([
      { start: anchored(1), end: anchored(2), isRunning: false, isBilled: true, planLevel: 1 },
      { start: anchored(0), end: anchored(1), isRunning: false, isBilled: true, planLevel: 1 },
      { start: start.toISOString(), end: anchored(0), isRunning: false, isBilled: false, planLevel: 0 },
    ])
    await expect(show(after(days))).rejects.toMatchObject({ key: 'notFound' })
    expect(await list(2, 2)).toMatchObject({ rowsNumber: 3, periods: [{ end: anchored(0) }] })
  })
})

test('sums over clusters and days are what was billed, whatever was corrected, raised and destroyed', async () => {
  await expectSums(database, clock, 3)
})
