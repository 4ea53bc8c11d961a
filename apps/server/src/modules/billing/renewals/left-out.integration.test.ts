/** Workers that are ordered as the period of their cluster ends: whatever is paid when, no month of them is free. */
import { createTestClock } from '@atoll/testkit'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { type CatalogOffering, termsOfOffering } from '../../catalog/index.ts'
import { assumeCards } from '../due/assume-cards.ts'
import { findOpenPayment, movePaymentOn } from '../records/documents/payment-store.ts'
import { estimateJson } from '../sell/estimate-json.ts'
import { estimateAmount } from '../sell/estimate-service.ts'
import { sellInstances } from '../sell/sell-instances.ts'
import { type Harness, openHarness } from '../testing/billing-harness.ts'
import { expectProvable } from '../testing/histories/expect-fair.ts'
import { catalogOf } from '../testing/test-plans.ts'

const words = { 'en-US': 'Bay', 'zh-CN': '海湾' }
const bay: CatalogOffering = {
  name: 'bay-64',
  title: words,
  price: { usd: 7000 },
  soldOutIn: [],
  cpuCoreCount: 4,
  memoryMiB: 512,
  diskMiB: 1024,
}
const cloud = {
  cloudName: 'bay',
  driver: 'process' as const,
  title: words,
  offerings: [bay],
  regions: [{ regionId: 'bay', title: words, place: words }],
}
const catalog = { current: () => catalogOf([], { clouds: [cloud] }).current() }
const clock = createTestClock(new Date('2027-01-31T12:00:00Z'))
const database = useDatabase()
let harness: Harness
let card: { id: string; gateway: string } | null
let clusterId: string

beforeEach(async () => {
  clock.set(new Date('2027-01-31T12:00:00Z'))
  card = null
  harness = await openHarness(database, {
    clock,
    catalog,
    findMethod: async () => card,
    findOwnCluster: async () => ({ cloudName: 'bay' }),
  })
  clusterId = await harness.insertCluster()
  await harness.credit(7000)
  await sell({ kind: 'cluster', offering: bay.name })
})

async function sell(request: Parameters<typeof estimateAmount>[2], estimateToken?: string) {
  const terms = termsOfOffering('bay', bay, 'usd')
  if (!terms) throw new Error('bay is sold in dollars')
  const { userid, deps } = harness
  const instances = [{ instanceId: await harness.insertInstance(clusterId), terms }]
  return await harness.transact(async (trx) => {
    const limits = await deps.accounts.lockLimits(trx, userid)
    return await sellInstances(deps, trx, { userid, limits, clusterId, instances, request, estimateToken })
  })
}

const worker = () => ({ kind: 'worker' as const, clusterId, offering: bay.name, quantity: 1 })

async function runAt(at: string) {
  clock.set(new Date(at))
  await harness.runDue()
}

const renewals = async () =>
  (
    await database.pool.query(
      `select total_minor as total, state, min(to_char(period_start at time zone 'utc', 'MM-DD HH24:MI:SS.MS')) as "from",
         max(to_char(period_end at time zone 'utc', 'MM-DD HH24:MI')) as until
       from invoices join invoice_items on invoice_id = id where invoices.userid = $1 and kind = 'renewal'
       group by id order by issued_at, number`,
      [harness.userid],
    )
  ).rows

test('a figure that was shown for the last minutes of a period is refused after it, with the new one', async () => {
  await harness.credit(30_000)
  clock.set(new Date('2027-02-28T11:55:00Z'))
  const shown = await estimateAmount(harness.deps, harness.userid, worker())
  expect(estimateJson(shown, 'en-US')).toMatchObject({ amount: 1, validUntil: '2027-02-28T12:00:00.000Z' })
  await runAt('2027-02-28T12:01:00Z')
  const refusal = await sell(worker(), shown.estimateToken).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Refusal)
  expect(refusal).toMatchObject({ key: 'estimateChanged', params: { amount: '$70.00' } })
  expect(await sell(worker())).toMatchObject({ paid: true, amount: { minor: 7000 } })
  expect(await renewals()).toHaveLength(1)
  await expectProvable(database, harness.userid)
})

test('what a card is found to have paid for after the renewal is renewed too, for the rest of the month', async () => {
  const { userid, deps, transact } = harness
  card = { id: await harness.keepCard(), gateway: 'sandbox' }
  clock.set(new Date('2027-02-27T18:00:00Z'))
  const { invoiceId, paid, amount } = await sell(worker())
  expect({ paid, amount: amount.minor }).toEqual({ paid: false, amount: 188 })
  await transact(async (trx) => {
    const payment = await findOpenPayment(trx, invoiceId ?? '')
    if (payment) await movePaymentOn(trx, payment, 'sent', { at: clock.now() })
  })
  await harness.credit(7000)
  await runAt('2027-02-28T12:00:00Z')
  const first = { total: 7000, state: 'paid', from: '02-28 12:00:00.000', until: '03-31 12:00' }
  expect(await renewals()).toEqual([first])

  // The gateway was away for a day.
  clock.set(new Date('2027-03-01T12:00:00.700Z'))
  const charge = () => transact((trx) => assumeCards(deps, trx, { userid, at: clock.now(), cards: 'pay' }))
  await charge()
  await harness.runDue()
  await charge()
  const rest = { total: 6774, state: 'paid', from: '03-01 12:00:00.000', until: '03-31 12:00' }
  expect(await renewals()).toEqual([first, rest])
  await runAt('2027-03-31T12:00:00Z')
  expect((await renewals()).slice(2)).toMatchObject([{ total: 14_000, until: '04-30 12:00' }])
  await expectProvable(database, harness.userid)
})
