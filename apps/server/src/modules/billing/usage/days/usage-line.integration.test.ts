/** The times and clusters of the usage that a line of a bill charges, as known when the bill was written. */
import { addMonths } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { after, days, end, hours, openUsageHarness, start, type UsageHarness } from '../../testing/usage-harness.ts'
import { showLine } from './show-line.ts'

const clock = createTestClock(start)
const database = useDatabase()
let harness: UsageHarness

beforeEach(async () => {
  harness = await openUsageHarness(database, clock)
})

const month = (count: number) => addMonths(start, count, 'UTC')
const rename = (id: string, name: string) =>
  database.pool.query('update clusters set name = $2 where id = $1', [id, name])
async function insertCluster(name: string): Promise<string> {
  const id = await harness.insertCluster()
  await rename(id, name)
  return id
}
/** The lines of usage, in the order in which they were billed, each as the call shows it. */
async function readLines() {
  const { rows } = await database.pool.query<{ id: string; line: number }>(
    `select invoice_id as id, line from invoice_items join invoices on invoices.id = invoice_id
      where invoices.userid = $1 and revenue = 'usage' order by number, line`,
    [harness.userid],
  )
  const lines = []
  for (const { id, line } of rows) lines.push(await showLine(harness.deps, harness.userid, { invoiceId: id, line }))
  return lines
}

test('a flow says when its quota was used up and who used what came after, by the names of the bill, for ever', async () => {
  const [rangiroa, fakarava] = [await insertCluster('Rangiroa'), await insertCluster('Fakarava')]
  await harness.change(1)
  harness.script.flow('cloud_traffic', after(2 * days), 200, start, rangiroa)
  harness.script.flow('cloud_traffic', after(4 * days + hours), 80, start, fakarava)
  harness.script.flow('cloud_traffic', after(4 * days + 13 * hours), 40, start, rangiroa)
  harness.script.flow('cloud_traffic', after(6 * days), 10, start, fakarava)
  await harness.runUntil(end)
  const lines = await readLines()
  expect(lines).toMatchObject([
    {
      productType: 'cloud_traffic',
      used: 330,
      overage: 30,
      amount: 90,
      unitLabel: 'GB',
      start: start.toISOString(),
      end: end.toISOString(),
      listedEnd: end.toISOString(),
      usedUpAt: after(4 * days + 13 * hours).toISOString(),
      clusters: [
        { clusterId: rangiroa, name: 'Rangiroa', used: 240, overage: 20, amount: 60 },
        { clusterId: fakarava, name: 'Fakarava', used: 90, overage: 10, amount: 30 },
      ],
    },
  ])
  const [line] = lines
  expect([line?.days.length, line?.days[0], line?.days.at(-1)]).toEqual([27, '2027-01-05', '2027-01-31'])
  expect(line?.clusters.map((cluster) => cluster.days.slice(0, 3))).toEqual([
    [20, 0, 0],
    [0, 0, 10],
  ])
  // Whatever is renamed, or read otherwise later.
  await rename(rangiroa, 'party-photos')
  harness.script.flow('cloud_traffic', after(days), 100, after(40 * days), fakarava)
  clock.set(after(41 * days))
  expect(await readLines()).toEqual(lines)
  await harness.runUntil(month(2))
  const [first, corrected] = await readLines()
  expect(first).toEqual(line)
  // The correction charges what is above now and was not on the bill before.
  expect(corrected).toMatchObject({
    used: 430,
    overage: 130,
    amount: 300,
    usedUpAt: after(4 * days + hours).toISOString(),
  })
  expect(corrected?.clusters.reduce((sum, { amount }) => sum + amount, 0)).toBe(300)
})

test('a later bill of a period has the part of its own of the amount', async () => {
  harness = await openUsageHarness(database, clock, undefined, { credit: 400 })
  const cluster = await insertCluster('Manihi')
  await harness.change(1)
  harness.script.flow('cloud_traffic', after(2 * days), 400, start, cluster)
  clock.set(after(3 * days))
  await harness.check()
  await harness.runUntil(after(3 * days + hours))
  await harness.credit(100_000)
  harness.script.flow('cloud_traffic', after(10 * days), 50, start, cluster)
  await harness.runUntil(end)
  const lines = await readLines()
  expect(lines.length).toBeGreaterThan(1)
  for (const { amount, overage, used, clusters } of lines) {
    const sums = clusters.map((one) => [one.amount, one.overage, one.used])
    expect(sums).toEqual([[amount, overage, used]])
  }
})

test('storage shows what was held on every day', async () => {
  const cluster = await insertCluster('Manihi')
  await harness.change(1)
  harness.script.flow('cloud_storage', after(0), 500, start, cluster)
  await harness.runUntil(end)
  const [line] = await readLines()
  expect(line).toMatchObject({ productType: 'cloud_storage', usedUpAt: null, clusters: [{ name: 'Manihi' }] })
  expect(line?.days).toHaveLength(31)
  const [only] = line?.clusters ?? []
  expect([only?.used, only?.overage, only?.amount]).toEqual([line?.used, line?.overage, line?.amount])
  expect(only?.days.reduce((sum, day) => sum + day, 0)).toBeCloseTo(only?.used ?? 0, 5)
})

test('another account’s bill and a line that charges no usage are refused', async () => {
  const cluster = await insertCluster('Manihi')
  await harness.change(1)
  harness.script.flow('cloud_traffic', after(2 * days), 400, start, cluster)
  await harness.runUntil(end)
  const bill = (kind: string) =>
    database.pool.query<{ id: string }>('select id from invoices where userid = $1 and kind = $2', [
      harness.userid,
      kind,
    ])
  const [usage, plan] = [(await bill('usage')).rows[0]?.id ?? '', (await bill('plan')).rows[0]?.id ?? '']
  const show = (invoiceId: string, line: number, userid = harness.userid) =>
    showLine(harness.deps, userid, { invoiceId, line })
  await expect(show(plan, 1)).rejects.toMatchObject({ key: 'lineWithoutUsage' })
  await expect(show(usage, 9)).rejects.toMatchObject({ key: 'lineWithoutUsage' })
  const other = await openUsageHarness(database, clock)
  await expect(show(usage, 1, other.userid)).rejects.toMatchObject({ key: 'notFound' })
})
