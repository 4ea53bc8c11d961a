import { addMonths, type Money, money, periodAt, sumMoney } from '@atoll/money'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyBasket, factsOf } from '../testing/any-basket.ts'
import type { BasketFacts, CouponFacts, Means, PlanItem, UsagePart } from './basket.ts'
import { priceBasket } from './price-basket.ts'
import { priceRefund } from './price-refund.ts'

const usd = (minor: number): Money => money(minor, 'usd')
const means: Means = { promo: usd(0), cash: usd(0), mayRoll: true }
const march = periodAt(new Date('2026-03-04T10:02:00Z'), 0, 'UTC')
const onDay = (day: number) => new Date(march.start.getTime() + day * 86_400_000)
const basket = (items: BasketFacts['items'], more: Partial<BasketFacts> = {}): BasketFacts => ({
  currency: 'usd',
  items,
  coupons: [],
  means,
  ...more,
})
const reef10: CouponFacts = { code: 'REEF10', percentOff: 10, appliesTo: ['instance'] }
const worker = { kind: 'instance', key: 'worker', price: usd(720), period: march } as const

describe('what is paid ahead', () => {
  test('costs its price for a whole period, and the rest of one from where it begins', () => {
    const [whole] = priceBasket(basket([worker]), march.start).items
    expect(whole).toMatchObject({ amount: usd(720), proration: false, period: march })
    // 17 of 31 days.
    const [rest] = priceBasket(basket([worker], { coupons: [reef10] }), onDay(14)).items
    expect(rest).toMatchObject({ amount: usd(395), discount: usd(40), net: usd(355), proration: true })
    expect(rest?.period).toEqual({ start: onDay(14), end: march.end })
    expect(rest?.explain).toEqual({
      rule: 'prepaid',
      price: 720,
      periodSeconds: 31 * 86_400,
      fromSecond: 14 * 86_400,
      rounded: 395,
      discount: { code: 'REEF10', percentOff: 10, total: 40, of: 395 },
    })
  })

  test('of a plan that is raised costs the rest at the new price less the old', () => {
    const up: PlanItem = { kind: 'plan', key: 'plan', price: usd(2900), instead: usd(900), period: march }
    expect(priceBasket(basket([up]), onDay(14)).total).toEqual(usd(1097))
    expect(priceBasket(basket([{ ...up, price: usd(100) }]), onDay(14)).total).toEqual(usd(0))
  })

  test('raising a plan in steps at one instant costs what raising it at once does, to a cent', () => {
    const price = fc.integer({ min: 0, max: 1_000_000 })
    fc.assert(
      fc.property(fc.tuple(price, price, price), fc.integer({ min: 0, max: 31 * 86_400 }), (prices, second) => {
        const [low = 0, middle = 0, high = 0] = prices.sort((a, b) => a - b)
        const at = new Date(march.start.getTime() + second * 1000)
        const up = (from: number, to: number) =>
          priceBasket(basket([{ kind: 'plan', key: 'p', price: usd(to), instead: usd(from), period: march }]), at).total
            .minor
        expect(Math.abs(up(low, middle) + up(middle, high) - up(low, high))).toBeLessThanOrEqual(1)
        // Up, down at the period's end, taken back and up again: the second time there is nothing to pay.
        expect(up(high, high)).toBe(0)
      }),
    )
  })
})

describe('usage', () => {
  const gb = (amount: number) => BigInt(amount * 1_000_000)
  const rate = { micros: 2_000_000n, currency: 'usd' } as const
  const cheaper = { micros: 1_500_000n, currency: 'usd' } as const
  const part = (from: number, to: number, used: number, quota: number, more = {}): UsagePart => ({
    part: { start: onDay(from), end: onDay(to) },
    used: gb(used),
    quota: gb(quota),
    rate,
    ...more,
  })
  const item = (measure: 'flow' | 'stock', ...parts: UsagePart[]) =>
    ({ kind: 'usage', key: 'traffic', period: march, measure, parts }) as const
  const costOf = (...items: ReturnType<typeof item>[]) => priceBasket(basket(items), march.end).total.minor

  test('costs what passes the quota, rounded half-even once', () => {
    expect(costOf(item('flow', part(0, 31, 1000, 1000)))).toBe(0)
    expect(costOf(item('flow', part(0, 31, 1012.25, 1000)))).toBe(24)
    expect(costOf(item('flow', part(0, 31, 1012.75, 1000)))).toBe(26)
    expect(costOf(item('flow', { ...part(0, 31, 9999, 0), rate: undefined } as unknown as UsagePart))).toBe(0)
  })

  test('of a flow above the old quota is charged at the old rate, and the quota grows by the share that was paid for', () => {
    // 21 of 31 days on the higher plan: 1 000 + 4 000 × 21 ÷ 31 GB are included, which is 3 709.677.
    const raised = (used: number, then: number) =>
      costOf(item('flow', part(0, 10, used, 1000), part(10, 31, then, 5000, { rate: cheaper })))
    // 100 GB above 1 000 at 2 cents; then 2 809.677 against 2 709.677: 100 at 1.5 cents.
    expect(raised(1100, 2809.677419)).toBe(200 + 150)
    expect(raised(600, 3109.677419)).toBe(0)
    expect(raised(600, 3209.677419)).toBe(150)
    expect(raised(0, 5000)).toBe(1935)
  })

  test('of an expensive flow just before the end of a period is hardly cheaper by a higher plan', () => {
    const starter = { rate: { micros: 4_000_000n, currency: 'usd' } as const }
    const pro = { rate: cheaper }
    const until = 31 - 6 / 24
    // 499 GB at 4 cents; the raise adds 450 GB × 6 ÷ 744 hours = 3.629 GB to what comes after it.
    expect(costOf(item('flow', part(0, until, 549, 50, starter), part(until, 31, 3.629, 500, pro)))).toBe(1996)
    expect(costOf(item('flow', part(0, until, 549, 50, starter), part(until, 31, 103.629033, 500, pro)))).toBe(2146)
  })

  test('of a flow raised twice has each growth by its own share, and a smaller quota takes its share away', () => {
    // 100 + 100 × 21/31 + 200 × 11/31 = 238.71.
    const twice = (used: number, last: number) =>
      costOf(item('flow', part(0, 10, 0, 100), part(10, 20, used, 200), part(20, 31, last, 400)))
    expect(twice(0, 238.709677)).toBe(0)
    expect(twice(0, 338.709678)).toBe(200)
    // 67.742 above the second quota is charged there, and the last has only its growth left.
    expect(twice(267.741935, 70.967742)).toBe(200)
    expect(costOf(item('flow', part(0, 15.5, 0, 100), part(15.5, 31, 150, 0)))).toBe(200)
  })

  test('of what is stored has of each quota the part of the period that it was held for', () => {
    // Half of the period each: 62 GB-months of quota 100, then none above 250 of 500.
    expect(costOf(item('stock', part(0, 15.5, 62, 100), part(15.5, 31, 250, 500, { rate: cheaper })))).toBe(24)
  })

  test('never costs more than the cap, and says what was waived', () => {
    const capped = priceBasket(
      basket([item('flow', part(0, 31, 1050, 1000)), item('stock', part(0, 31, 100, 0))], { usageCap: usd(150) }),
      march.end,
    )
    expect(capped.items.map(({ amount }) => amount.minor)).toEqual([100, 50])
    expect(capped.items[1]?.explain).toMatchObject({
      exact: expect.stringMatching(/^\d+\/\d+$/),
      rounded: 200,
      waived: 150,
    })
  })
})

describe('coupons', () => {
  const items = [worker, { kind: 'plan', key: 'plan', price: usd(900), period: march }] as const
  const priced = (...coupons: CouponFacts[]) => priceBasket(basket(items, { coupons }), march.start)

  test('one is used, the one that takes the most', () => {
    const tenth: CouponFacts = { code: 'ALL10', percentOff: 10, appliesTo: ['instance', 'plan'] }
    const five: CouponFacts = { code: 'FIVE', amountOff: usd(500), appliesTo: ['plan'] }
    expect(priced(reef10, tenth).coupon).toEqual({ code: 'ALL10', discount: usd(162) })
    expect(priced(reef10, tenth, five)).toMatchObject({ coupon: { code: 'FIVE' }, discount: usd(500) })
    expect(priced(reef10, tenth, five).items.map(({ discount }) => discount.minor)).toEqual([0, 500])
    expect(priced().coupon).toBeUndefined()
  })

  test('of two that take the same the one redeemed first is used; one that has ended takes nothing', () => {
    expect(priced({ ...reef10, code: 'FIRST' }, reef10).coupon?.code).toBe('FIRST')
    expect(priced({ ...reef10, endsAt: march.start }).coupon).toBeUndefined()
    expect(priced({ ...reef10, endsAt: addMonths(march.start, 1, 'UTC') }).discount).toEqual(usd(72))
  })

  test('an amount in another currency is a mistake of who asks', () => {
    expect(() => priced({ code: 'X', amountOff: money(1, 'cny'), appliesTo: ['plan'] })).toThrow('cny and usd')
  })
})

describe('payment', () => {
  const split = (price: number, more: Partial<Means>) =>
    priceBasket(basket([{ ...worker, price: usd(price) }], { means: { ...means, ...more } }), march.start).split

  test('is promotional credit, then balance, then card', () => {
    expect(split(1000, { promo: usd(300), cash: usd(-200) })).toMatchObject({
      promo: usd(300),
      balance: usd(200),
      card: usd(500),
    })
    expect(split(1000, { cash: usd(-5000) })).toMatchObject({ balance: usd(1000), card: usd(0), rolled: usd(0) })
  })

  test('less than a card takes waits for the next bill, which collects it', () => {
    expect(split(99, {})).toMatchObject({ card: usd(0), rolled: usd(99) })
    expect(split(100, {})).toMatchObject({ card: usd(100), rolled: usd(0) })
    expect(split(60, { cash: usd(39) })).toMatchObject({ card: usd(0), rolled: usd(60) })
    expect(split(60, { cash: usd(40) })).toMatchObject({ card: usd(100), collected: usd(40), rolled: usd(0) })
    expect(split(99, { mayRoll: false })).toMatchObject({ card: usd(99), rolled: usd(0) })
    expect(split(0, { cash: usd(40) })).toMatchObject({ card: usd(0), collected: usd(0) })
  })
})

test('of any basket no discount passes its item, the parts sum to the total, and the same facts cost the same', () => {
  fc.assert(
    fc.property(anyBasket, (drawn) => {
      const at = new Date(drawn.at)
      const priced = priceBasket(factsOf(drawn), at)
      const { items, gross, discount, total, split } = priced
      const sum = (amounts: Money[]) => sumMoney(amounts, drawn.currency).minor
      for (const item of items) {
        expect(item.discount.minor).toBeGreaterThanOrEqual(0)
        expect(item.discount.minor).toBeLessThanOrEqual(item.amount.minor)
        expect(item.net.minor).toBe(item.amount.minor - item.discount.minor)
      }
      expect(sum(items.map(({ amount }) => amount))).toBe(gross.minor)
      expect(sum(items.map((item) => item.discount))).toBe(discount.minor)
      expect(sum(items.map(({ net }) => net))).toBe(total.minor)
      expect(
        split.promo.minor + split.balance.minor + split.card.minor - split.collected.minor + split.rolled.minor,
      ).toBe(total.minor)
      const usage = sum(items.filter(({ kind }) => kind === 'usage').map(({ amount }) => amount))
      if (drawn.usageCap !== null) expect(usage).toBeLessThanOrEqual(drawn.usageCap)
      expect(priceBasket(factsOf(drawn), at)).toEqual(priced)
      // A statement holds it as JSON.
      expect(JSON.parse(JSON.stringify(priced.items.map(({ explain }) => explain)))).toEqual(
        priced.items.map(({ explain }) => explain),
      )
    }),
  )
})

describe('a refund', () => {
  const paid = { key: 'master', period: march, net: usd(1440), promo: usd(0), isPaid: true, hasRun: true }
  const item = { ...paid, credited: usd(0), stopped: [] }

  test('keeps what was used, to the second, and returns the rest to the balance', () => {
    expect(priceRefund([item], onDay(14), 'usd')).toMatchObject({ toBalance: usd(790), items: [{ kept: usd(650) }] })
  })

  test('counts promotional credit as used first, and never makes it cash', () => {
    const [mostly, partly] = [1000, 200].map((promo) => priceRefund([{ ...item, promo: usd(promo) }], onDay(14), 'usd'))
    expect(mostly).toMatchObject({ toBalance: usd(440), toPromo: usd(350) })
    expect(partly).toMatchObject({ toBalance: usd(790), toPromo: usd(0) })
  })

  test('of what never ran gives everything back as it was paid', () => {
    expect(priceRefund([{ ...item, promo: usd(1000), hasRun: false }], onDay(14), 'usd')).toMatchObject({
      toBalance: usd(440),
      toPromo: usd(1000),
      items: [{ kept: usd(0) }],
    })
  })

  test('of what is still owed comes off that, whole where it never ran', () => {
    const owed = { ...item, isPaid: false }
    expect(priceRefund([owed], onDay(14), 'usd')).toMatchObject({ toBalance: usd(0), offOwed: usd(790) })
    expect(priceRefund([{ ...owed, hasRun: false }], onDay(14), 'usd')).toMatchObject({ offOwed: usd(1440) })
  })

  test('leaves out the time for which it was stopped, by what was not given back of that before', () => {
    const stopped = [
      { start: onDay(-9), end: onDay(4) },
      { start: onDay(10), end: onDay(12) },
    ]
    const all = priceRefund([{ ...item, stopped }], onDay(14), 'usd')
    const goesOn = priceRefund([{ ...item, stopped }], null, 'usd')
    const days = (count: number) => Math.round((1440 * count) / 31)
    expect([all.items[0]?.kept.minor, goesOn.toBalance.minor]).toEqual([days(8), days(6)])
    const rest = priceRefund([{ ...item, stopped, credited: goesOn.toBalance }], onDay(14), 'usd')
    expect(rest.toBalance.minor + goesOn.toBalance.minor).toBe(all.toBalance.minor)
    expect(priceRefund([{ ...item, stopped, credited: goesOn.toBalance }], null, 'usd').toBalance.minor).toBe(0)
  })

  test('of anything at any time is the net again, and cash never more than was paid in cash', () => {
    const amount = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(
        amount,
        amount,
        fc.boolean(),
        fc.integer({ min: -5, max: 40 * 86_400 }),
        (cash, promo, hasRun, second) => {
          const at = new Date(march.start.getTime() + second * 1000)
          const refund = priceRefund([{ ...item, net: usd(cash + promo), promo: usd(promo), hasRun }], at, 'usd')
          const { kept, toBalance, toPromo } = refund.items[0] ?? never()
          expect(kept.minor + toBalance.minor + toPromo.minor).toBe(cash + promo)
          expect(toBalance.minor).toBeLessThanOrEqual(cash)
          expect(Math.min(kept.minor, toBalance.minor, toPromo.minor)).toBeGreaterThanOrEqual(0)
        },
      ),
    )
  })
})

function never(): never {
  throw new Error('An item was left out.')
}
