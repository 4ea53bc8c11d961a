/**
 * A count is a count: months of a coupon are periods that it reduces, an amount is taken once in each, `once` is once.
 */
import { addMonths, periodAt } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { type CatalogCoupon, termsOfOffering } from '../../../catalog/index.ts'
import { listUsable } from '../../records/coupon-store.ts'
import { changePlan } from '../../sell/change-plan.ts'
import { openHarness } from '../../testing/billing-harness.ts'
import { expectProvable } from '../../testing/histories/expect-fair.ts'
import { catalogOf, testPlans } from '../../testing/test-plans.ts'
import { openUsageHarness, start as usageStart } from '../../testing/usage-harness.ts'
import { couponFacts } from './coupon-facts.ts'
import { redeemCoupon } from './redeem-coupon.ts'
import { typedOrders } from './testing/typed-orders.ts'

const clock = createTestClock(new Date('2027-01-31T12:00:00Z'))
const database = useDatabase()
const coupon = (code: string, more: Partial<CatalogCoupon> = {}): CatalogCoupon => ({
  code,
  duration: 'once',
  appliesTo: ['instance'],
  ...more,
})
const coupons = [
  ...[1, 2, 3, 4].map((months) => coupon(`MONTHS${months}`, { percentOff: 50, duration: 'repeating', months })),
  coupon('ALL1', { percentOff: 100, duration: 'repeating', months: 1, appliesTo: ['instance', 'plan', 'usage'] }),
  coupon('FIVE', { amountOff: { usd: 500 }, duration: 'forever', appliesTo: ['instance', 'plan', 'usage'] }),
  coupon('USE3', { amountOff: { usd: 300 }, duration: 'forever', appliesTo: ['usage'] }),
  coupon('ONCE10', { amountOff: { usd: 1000 } }),
  coupon('ONCE20', { amountOff: { usd: 2000 } }),
  coupon('ONCEHALF', { percentOff: 50 }),
  coupon('ONCEALL', { percentOff: 100 }),
]
const { cloud, order } = typedOrders
const catalog = catalogOf(testPlans, { clouds: [cloud], coupons })
const day = 86_400_000
let harness: Awaited<ReturnType<typeof newcomer>>

beforeEach(async () => {
  clock.set(new Date('2027-01-31T12:00:00Z'))
  harness = await newcomer()
})

async function newcomer() {
  const card = { id: '', gateway: 'sandbox' }
  const opened = await openHarness(database, { clock, catalog, findMethod: async () => card })
  const { userid, billing, transact } = opened
  card.id = await opened.keepCard()
  await opened.credit(1_000_000)
  const caller = { userid, did: 'did:key:zTest', sessionId: 'ss_test', role: 'User' as const, ip: '127.0.0.1' }
  const rows = async <Row extends object>(text: string) => (await database.pool.query<Row>(text, [userid])).rows
  return {
    ...opened,
    redeem: (code: string) => redeemCoupon(opened.deps, caller, { code }),
    order: async (code?: string) => (await order(opened, code)).invoiceId ?? '',
    estimate: (code?: string) => typedOrders.estimate(opened, code),
    raise: async (level: number) => {
      return await transact((trx) => changePlan(opened.deps, trx, caller, { planLevel: level }))
    },
    usable: async () => (await listUsable(database.db, userid)).map((one) => one.coupon.code),
    /** A worker of 14.40 dollars a month for the cluster of an invoice. */
    async addWorker(invoiceId: string) {
      const [{ cluster = '' } = {}] = await rows<{ cluster: string }>(
        `select cluster_id as cluster from subscriptions join subscription_items item on item.subscription_id = subscriptions.id
          join invoice_items on item_id = item.id where subscriptions.userid = $1 and invoice_id = '${invoiceId}'`,
      )
      const terms = termsOfOffering('bay', cloud.offerings[0] ?? never(), 'usd') ?? never()
      const instances = [{ instanceId: await opened.insertInstance(cluster), terms }]
      return await transact(async (trx) => {
        const usable = (await listUsable(trx, userid)).map((one) => couponFacts(one, 'usd'))
        return await billing.order(trx, {
          userid,
          clusterId: cluster,
          instances,
          at: clock.now(),
          coupons: usable,
          method: card,
        })
      })
    },
    /** All that stands is destroyed. */
    async destroy(hasRun = true) {
      const living = await rows<{ id: string }>(
        "select instance_id as id from subscription_items where userid = $1 and state = 'active' and instance_id is not null",
      )
      const instances = living.map(({ id: instanceId }) => ({ instanceId, hasRun }))
      return await transact((trx) => billing.refund(trx, { userid, instances, at: clock.now() }))
    },
    async runUntil(at: Date) {
      for (;;) {
        const [next] = await rows<{ due: Date }>('select min(due_at) as due from due_items where userid = $1')
        if (!next?.due || next.due > at) break
        if (next.due > clock.now()) clock.set(next.due)
        await opened.runDue()
      }
      clock.set(at)
    },
    /** By invoice, in their order. */
    discounts: async () =>
      (
        await rows<{ discount: number }>(
          "select discount_minor::int as discount from invoices where userid = $1 and state <> 'void' order by recorded_at, number",
        )
      ).map(({ discount }) => discount),
  }
}

function never(): never {
  throw new Error('Something is missing that is always there.')
}

describe('the months of a coupon', () => {
  test('typed with an order on the 31st are three bills, and the estimate names the price after', async () => {
    const { estimate } = await harness.estimate('MONTHS3')
    const end = addMonths(clock.now(), 3, 'UTC')
    expect(estimate).toMatchObject({
      perMonth: { minor: 720 },
      afterCoupon: { code: 'MONTHS3', amount: { minor: 1440 }, from: end },
    })
    await harness.order('MONTHS3')
    await harness.runUntil(new Date('2027-06-15T00:00:00Z'))
    expect(await harness.discounts()).toEqual([720, 720, 720, 0, 0])
    expect(await expectProvable(database, harness.userid)).toContain('MONTHS3')
  })

  test('of one are one month, on the 31st too, and the next bill is whole', async () => {
    expect((await harness.estimate('ALL1')).estimate).toMatchObject({ perMonth: { minor: 1440 }, afterCoupon: null })
    await harness.order('ALL1')
    await harness.runUntil(new Date('2027-04-02T00:00:00Z'))
    expect(await harness.discounts()).toEqual([1440, 0, 0])
  })

  test('redeemed long before begin with the first period that they reduce', async () => {
    await harness.redeem('MONTHS2')
    await harness.runUntil(new Date('2027-05-05T05:05:05Z'))
    await harness.order()
    await harness.runUntil(new Date('2027-09-01T00:00:00Z'))
    expect(await harness.discounts()).toEqual([720, 720, 0, 0])
  })

  test('are not begun again by ordering again, and what is paid ahead beyond them is not reduced', async () => {
    await harness.order('MONTHS1')
    clock.set(new Date('2027-02-20T12:00:00Z'))
    await harness.destroy()
    await harness.order()
    // It begins within the month that is counted.
    expect((await harness.discounts()).at(-1)).toBe(720)
    await harness.runUntil(new Date('2027-03-25T00:00:00Z'))
    expect((await harness.discounts()).at(-1)).toBe(0)
    await harness.destroy()
    await harness.order()
    expect((await harness.discounts()).at(-1)).toBe(0)
  })

  test('of which an order never ran, or was not paid, are not begun', async () => {
    await harness.order('MONTHS1')
    await harness.destroy(false)
    clock.set(new Date('2027-04-01T00:00:00Z'))
    await harness.order()
    expect(await harness.discounts()).toEqual([720, 720])
  })

  test('are begun by an order that ran for a minute', async () => {
    await harness.order('MONTHS1')
    clock.set(new Date(clock.now().getTime() + 60_000))
    await harness.destroy()
    clock.set(new Date('2027-04-01T00:00:00Z'))
    await harness.order()
    expect((await harness.discounts()).at(-1)).toBe(0)
  })

  test('are as many periods for any anchor and day of ordering again', async () => {
    const anyCase = fc.record({
      at: fc.oneof(
        fc
          .constantFrom('2027-01-31T12:00:00Z', '2028-02-29T00:00:00Z', '2027-08-31T23:59:59Z')
          .map((at) => new Date(at)),
        fc.integer({ min: 0, max: 700 * 86_400 }).map((second) => new Date(Date.UTC(2027, 0, 1) + second * 1000)),
      ),
      months: fc.integer({ min: 1, max: 4 }),
      again: fc.option(fc.integer({ min: 86_400, max: 150 * 86_400 })),
    })
    await fc.assert(
      fc.asyncProperty(anyCase, async ({ at, months, again }) => {
        clock.set(at)
        const one = await newcomer()
        await one.order(`MONTHS${months}`)
        const end = periodAt(at, months, 'UTC').start
        if (again !== null) {
          await one.runUntil(new Date(at.getTime() + again * 1000))
          await one.destroy()
          await one.order()
        }
        await one.runUntil(new Date(Math.max(addMonths(at, 6, 'UTC').getTime(), clock.now().getTime())))
        const { rows } = await database.pool.query<{ begins: Date; discount: number }>(
          `select line.period_start as begins, line.discount_minor::int as discount
            from invoice_items line join invoices on invoices.id = invoice_id
            where line.userid = $1 order by invoices.number`,
          [one.userid],
        )
        // Exactly those that begin before the count ends, at half the price.
        expect(rows.map(({ begins, discount }) => [begins, discount])).toEqual(
          rows.map(({ begins }) => [begins, begins < end ? 720 : 0]),
        )
        if (again === null) expect(rows.filter(({ discount }) => discount > 0)).toHaveLength(months)
        expect((await one.usable()).length).toBe(1)
      }),
      { numRuns: 12, seed: 7 },
    )
  })
})

describe('an amount', () => {
  test('is taken once in each period of the plan it was first used on, however often that is raised', async () => {
    await harness.redeem('FIVE')
    const bill = async (level: number) => (await harness.raise(level)).amount
    // 3.00, then 9.00 and 29.00: within the same second, the whole of each difference.
    expect([await bill(1), await bill(2), await bill(3)]).toEqual([0, 400, 2000])
    expect(await harness.discounts()).toEqual([300, 200, 0])
    await harness.order()
    expect((await harness.discounts()).at(-1)).toBe(0)
    await harness.runUntil(new Date('2027-03-01T13:00:00Z'))
    expect((await harness.discounts()).slice(4)).toEqual([500])
    await expectProvable(database, harness.userid)
  })

  test('is shared by the machines of a cluster, moves on when it ends, and is never taken twice in one period', async () => {
    await harness.redeem('FIVE')
    const invoiceId = await harness.order()
    expect((await harness.addWorker(invoiceId)).amount.minor).toBe(1440)
    expect(await harness.discounts()).toEqual([500, 0])
    clock.set(new Date(clock.now().getTime() + 14 * day))
    await harness.destroy()
    await harness.order()
    // Half the month is over: what was not used of it is left.
    expect((await harness.discounts()).at(-1)).toBe(250)
    await harness.runUntil(new Date(clock.now().getTime() + 40 * day))
    expect((await harness.discounts()).at(-1)).toBe(500)
    await expectProvable(database, harness.userid)
  })

  test('is taken once of a period whose usage is billed in parts', async () => {
    const own = await openUsageHarness(database, clock, testPlans, { credit: 400, catalog })
    const { userid, deps } = own
    await redeemCoupon(
      deps,
      { userid, did: 'did:key:zTest', sessionId: 'ss_test', role: 'User', ip: '127.0.0.1' },
      { code: 'USE3' },
    )
    await own.change(1)
    for (const days of [2, 4, 6]) {
      await own.runUntil(new Date(usageStart.getTime() + days * day))
      own.script.flow('cloud_traffic', clock.now(), 700)
      clock.advance(3_600_000)
      await own.credit(400)
      await own.check()
    }
    await own.runUntil(addMonths(usageStart, 1, 'UTC'))
    const bills = (await own.bills()) as { total: number; amount: number }[]
    expect(bills.length).toBeGreaterThan(1)
    expect(bills.reduce((sum, { amount, total }) => sum + amount - total, 0)).toBe(300)
  })
})

describe('a coupon of one use', () => {
  test('stays where it would take under a tenth of its amount, or of under a tenth of a month', async () => {
    const plain = await newcomer()
    const invoiceId = await plain.order()
    await plain.redeem('ONCEHALF')
    clock.set(new Date(addMonths(clock.now(), 1, 'UTC').getTime() - 2 * day))
    await plain.addWorker(invoiceId)
    expect([(await plain.discounts()).at(-1), await plain.usable()]).toEqual([0, ['ONCEHALF']])
    await plain.runUntil(new Date(clock.now().getTime() + 2 * day))
    expect([(await plain.discounts()).at(-1), await plain.usable()]).toEqual([1440, []])

    // The last two days of a worker are 1.03 dollars, under a tenth of 20.
    const other = await newcomer()
    const cluster = await other.order()
    await other.redeem('ONCE20')
    clock.set(new Date(addMonths(clock.now(), 1, 'UTC').getTime() - 2 * day))
    await other.addWorker(cluster)
    expect([(await other.discounts()).at(-1), await other.usable()]).toEqual([0, ['ONCE20']])
  })

  test('comes back with an order that never ran, and not with one that did', async () => {
    for (const code of ['ONCEHALF', 'ONCEALL']) {
      const own = await newcomer()
      await own.order(code)
      expect(await own.usable()).toEqual([])
      await own.destroy(false)
      expect(await own.usable()).toEqual([code])
      await own.order()
      expect((await own.discounts()).at(-1)).toBe(code === 'ONCEALL' ? 1440 : 720)
      clock.set(new Date(clock.now().getTime() + 10 * day))
      await own.destroy()
      expect(await own.usable()).toEqual([])
    }
  })

  test('was used by a machine that ran for a minute, of which all is given back', async () => {
    for (const code of ['ONCEHALF', 'ONCEALL', 'ONCE10']) {
      const own = await newcomer()
      await own.order(code)
      clock.set(new Date(clock.now().getTime() + 60_000))
      const { toBalance } = await own.destroy()
      expect([toBalance.minor, await own.usable()]).toEqual([
        code === 'ONCEALL' ? 0 : code === 'ONCE10' ? 440 : 720,
        [],
      ])
      await expectProvable(database, own.userid)
    }
  })
})

describe('two coupons', () => {
  test('follow each other, and the estimate names the price after the later one', async () => {
    await harness.redeem('ONCEHALF')
    clock.advance(1000)
    await harness.redeem('MONTHS1')
    const { estimate } = await harness.estimate()
    expect(estimate).toMatchObject({
      basket: { coupon: { code: 'ONCEHALF' } },
      perMonth: { minor: 720 },
      afterCoupon: { code: 'MONTHS1', amount: { minor: 1440 }, from: addMonths(clock.now(), 2, 'UTC') },
    })
    await harness.order()
    await harness.runUntil(addMonths(clock.now(), 4, 'UTC'))
    expect(await harness.discounts()).toEqual([720, 720, 0, 0, 0])
  })
})
