import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import type { CatalogCoupon } from '../../catalog/index.ts'
import { couponFacts } from '../pricing/coupons/coupon-facts.ts'
import { countRedemption, insertRedemption, listUsable } from '../records/coupon-store.ts'
import { type Harness, instanceTerms, openHarness } from '../testing/billing-harness.ts'
import { type EstimateOrder, estimateOrder } from './estimate-order.ts'

const market = { currency: 'usd', zone: 'UTC' } as const
const at = new Date('2027-01-31T12:00:00.750Z')
const database = useDatabase()

async function keepCard({ userid }: Harness): Promise<{ id: string; gateway: string }> {
  const id = `pm_${userid.slice(-12)}`
  await database.pool.query(
    `insert into payment_methods (id, userid, gateway, customer_ref, card_ref, brand, last4, exp_month, exp_year, is_default, created_at)
      values ($1, $2, 'sandbox', 'c', $1, 'visa', '4242', 12, 2030, true, now())`,
    [id, userid],
  )
  return { id, gateway: 'sandbox' }
}

async function redeem({ userid, transact }: Harness, facts: Partial<CatalogCoupon>): Promise<void> {
  const coupon: CatalogCoupon = { code: 'REEF', duration: 'forever', appliesTo: ['instance'], ...facts }
  await transact(async (trx) => {
    await countRedemption(trx, coupon)
    await insertRedemption(trx, userid, { coupon, redeemedAt: at })
  })
}

const estimate = (harness: Harness, order: Partial<EstimateOrder> & { prices: number[] }) =>
  estimateOrder(database.db, market, {
    userid: harness.userid,
    clusterId: null,
    at,
    method: null,
    ...order,
    terms: order.prices.map(instanceTerms),
  })

/** The invoice and payment that an order at that instant writes. */
async function place(
  harness: Harness,
  clusterId: string,
  order: { prices: number[]; at: Date; method: EstimateOrder['method'] },
) {
  const instances: { instanceId: string; terms: ReturnType<typeof instanceTerms> }[] = []
  for (const price of order.prices) {
    instances.push({ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(price) })
  }
  const ordered = await harness.transact(async (trx) => {
    const coupons = (await listUsable(trx, harness.userid)).map((one) => couponFacts(one, 'usd'))
    const { at, method } = order
    return await harness.billing.order(trx, { userid: harness.userid, clusterId, instances, at, coupons, method })
  })
  const { rows } = await database.pool.query(
    `select gross_minor, discount_minor, total_minor, coupon, promo_minor, balance_minor, card_minor, rolled_minor, i.valid_until,
        (select array_agg(price_id order by line) from invoice_items where invoice_id = i.id) as prices
      from invoices i join payments p on p.invoice_id = i.id where i.id = $1`,
    [ordered.invoiceId],
  )
  return rows[0]
}

function shown({ basket, prices, validUntil }: Awaited<ReturnType<typeof estimate>>) {
  const { gross, discount, total, coupon, split } = basket
  return {
    gross_minor: gross.minor,
    discount_minor: discount.minor,
    total_minor: total.minor,
    promo_minor: split.promo.minor,
    balance_minor: split.balance.minor,
    card_minor: split.card.minor,
    rolled_minor: split.rolled.minor,
    coupon: coupon?.code ?? null,
    prices,
    valid_until: validUntil,
  }
}

const anyOrder = fc.record({
  prices: fc.array(fc.constantFrom(55, 99, 720, 1440, 2880), { minLength: 1, maxLength: 3 }),
  workers: fc.array(fc.constantFrom(55, 720, 1440), { minLength: 1, maxLength: 3 }),
  daysLater: fc.integer({ min: 0, max: 40 }),
  credit: fc.constantFrom(0, 100, 5000),
  grant: fc.constantFrom(0, 250),
  coupon: fc.option(
    fc.constantFrom<Partial<CatalogCoupon>>(
      { percentOff: 10 },
      { amountOff: { usd: 333 } },
      { percentOff: 25, duration: 'once' },
    ),
  ),
  withCard: fc.boolean(),
})

describe('an estimate', () => {
  test('is what the order then writes, of a new cluster and of workers for a living one', async () => {
    for (const drawn of fc.sample(anyOrder, { numRuns: 25, seed: 11 })) {
      const harness = await openHarness(database)
      const method = drawn.withCard ? await keepCard(harness) : null
      if (drawn.credit > 0) await harness.credit(drawn.credit)
      if (drawn.grant > 0) await harness.grant(drawn.grant, at)
      if (drawn.coupon) await redeem(harness, drawn.coupon)
      const clusterId = await harness.insertCluster()
      const first = await estimate(harness, { prices: drawn.prices, method })
      expect(first.at.toISOString()).toBe('2027-01-31T12:00:00.000Z')
      expect(
        await place(harness, clusterId, { prices: drawn.prices, at: first.at, method }),
        JSON.stringify(drawn),
      ).toEqual(shown(first))
      const later = new Date(at.getTime() + drawn.daysLater * 86_400_000)
      const more = await estimate(harness, { prices: drawn.workers, clusterId, at: later, method })
      expect(
        await place(harness, clusterId, { prices: drawn.workers, at: more.at, method }),
        JSON.stringify(drawn),
      ).toEqual(shown(more))
    }
  })

  test('returns what the next bill is and when: a coupon that is used once is not in it', async () => {
    const harness = await openHarness(database)
    await redeem(harness, { percentOff: 50, duration: 'once' })
    const first = await estimate(harness, { prices: [1440, 720] })
    expect(first.basket.total.minor).toBe(1080)
    expect(first.perMonth.minor).toBe(2160)
    expect(first.nextAt.toISOString()).toBe('2027-02-28T12:00:00.000Z')
    expect(first.validUntil.toISOString()).toBe('2027-02-01T12:00:00.000Z')
  })

  test('of a coupon that an open order uses once is without it, and with it again when that order lapses', async () => {
    const harness = await openHarness(database)
    await redeem(harness, { percentOff: 50, duration: 'once' })
    const clusterId = await harness.insertCluster()
    const discount = async () => (await estimate(harness, { prices: [1440] })).basket.discount.minor
    expect(await discount()).toBe(720)
    await place(harness, clusterId, { prices: [1440], at, method: null })
    expect(await discount()).toBe(0)
    const { rows } = await database.pool.query('select id from invoices where userid = $1', [harness.userid])
    const invoiceId = rows[0]?.id
    await harness.transact((trx) => harness.billing.lapse(trx, { userid: harness.userid, invoiceId, at }))
    expect(await discount()).toBe(720)
  })
})
