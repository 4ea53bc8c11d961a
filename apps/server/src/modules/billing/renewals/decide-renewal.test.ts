import { addMonths, dayInZone, money, sumMoney } from '@atoll/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlanTerms, PriceTerms } from '../../catalog/index.ts'
import { decideRenewal, type Renewable, type RenewalFacts } from './decide-renewal.ts'

const title = { 'en-US': 'Basic', 'zh-CN': 'Basic' }
const sold = { title, currency: 'usd' as const, interval: 'month' as const }
const sizes = { cpuCoreCount: 2, memoryMiB: 2048, diskMiB: 20_480 }
const instance: PriceTerms = { kind: 'instance', cloudName: 'bay', offering: 'bay-4', ...sizes, ...sold, amount: 1440 }
const quotas = { storageGB: 200, backupGB: 100, trafficGB: 1000, cdnGB: 100, bandwidthMbit: 200, drills: 0 }
const plan = (level: number, amount: number): PlanTerms => ({
  ...{ kind: 'plan', level, quotas, overage: {}, amount },
  ...sold,
})

const noon = new Date('2027-02-28T12:00:00Z').getTime()
const afterHours = (hours: number) => new Date(noon + hours * 3_600_000)
const limits = { zone: 'UTC', currency: 'usd' } as const

function renewable(id: string, end: Date, more: Partial<Renewable> = {}): Renewable {
  const anchor = addMonths(end, -1, 'UTC')
  const kind = id === 'plan' ? ('plan' as const) : ('cluster' as const)
  const subscription = {
    id,
    userid: 'ac_1',
    kind,
    state: 'active' as const,
    anchor,
    period_start: anchor,
    period_end: end,
  }
  return { subscription, isHeld: false, freedAt: undefined, lower: undefined, ...more }
}

const anyRenewable = (id: string) =>
  fc
    .record({
      hours: fc.integer({ min: -20, max: 20 }),
      isHeld: fc.nat(5).map((one) => one === 0),
      freedAt: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined, freq: 4 }),
      lower: id === 'plan' ? fc.constantFrom(undefined, null, plan(1, 300)) : fc.constant(undefined),
    })
    .map(({ hours, freedAt, ...more }) =>
      renewable(id, afterHours(hours), { ...more, freedAt: freedAt === undefined ? undefined : afterHours(freedAt) }),
    )
const anyFacts = fc
  .record({
    active: fc.tuple(...['a', 'b', 'plan'].map(anyRenewable)),
    own: fc.nat(2),
    isRaised: fc.boolean(),
    charged: fc.array(fc.option(fc.integer({ min: -30, max: 1000 })), { minLength: 3, maxLength: 3 }),
    cash: fc.integer({ min: -5000, max: 500 }),
    issuedToday: fc.integer({ min: 0, max: 22 }),
  })
  .map(({ active, own, isRaised, charged, cash, issuedToday }): RenewalFacts => {
    const items = active.map(({ subscription: { id } }, index) => {
      const hours = charged[index] ?? null
      const item = { id: `item ${id}`, subscription_id: id, price_id: 'price' }
      return {
        item,
        terms: id === 'plan' ? plan(2, 900) : instance,
        chargedUntil: hours === null ? null : afterHours(hours),
      }
    })
    const means = { promo: money(0, 'usd'), cash: money(cash, 'usd'), mayRoll: true }
    const chosen = active[own] ?? renewable('a', afterHours(0))
    return {
      own: chosen,
      active,
      items,
      means,
      issuedToday,
      raised: new Set(isRaised ? ['plan'] : []),
      redemptions: [],
    }
  })

test('of any facts renews what ends that day and is paid, each item once, for no time that was charged or suspended', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { own, raised, items: known, issuedToday } = facts
      const dueAt = own.subscription.period_end
      const step = decideRenewal(facts, { dueAt, limits })
      expect(decideRenewal(facts, { dueAt, limits })).toEqual(step)
      const isWaiting = own.isHeld || raised.has(own.subscription.id)
      expect(step.does === 'wait').toBe(isWaiting)
      if (step.does === 'park') expect(issuedToday).toBeGreaterThanOrEqual(20)
      if (step.does !== 'renew') return
      for (const { subscription, isHeld, freedAt, next } of step.renewing) {
        expect(isHeld || raised.has(subscription.id)).toBe(false)
        expect(dayInZone(subscription.period_end, 'UTC')).toBe(dayInZone(dueAt, 'UTC'))
        expect(freedAt).toEqual(own.freedAt)
        expect(next.start).toEqual(subscription.period_end)
      }
      const ids = step.renewing.map(({ subscription }) => subscription.id)
      expect(ids).toContain(own.subscription.id)
      for (const { subscription, item, terms, period } of step.items) {
        expect(ids).toContain(subscription)
        const until = known.find((one) => one.item.id === item?.id)?.chargedUntil
        if (until) expect(until.getTime()).toBeLessThanOrEqual(period.start.getTime())
        // A lower plan takes the place of the one before; Free takes it and costs nothing.
        const lower = step.renewing.find((one) => one.subscription.id === subscription)?.lower
        expect(lower === undefined ? item?.subscription_id : terms).toEqual(lower ?? subscription)
      }
      for (const { period, amount, kind } of step.basket.items) {
        expect(amount.minor).toBeLessThanOrEqual(kind === 'plan' ? 900 : 1440)
        if (own.freedAt) expect(period.start.getTime()).toBeGreaterThanOrEqual(Math.min(own.freedAt.getTime(), noon))
      }
      const nets = step.basket.items.map(({ net }) => net)
      expect(step.basket.total).toEqual(sumMoney(nets, 'usd'))
      if (step.basket.gross.minor > 0) expect(issuedToday).toBeLessThan(20)
    }),
  )
})

test('has an amount off that was bound to a plan reduce what is left when that plan falls to Free', () => {
  const ends = afterHours(0)
  const own = renewable('plan', ends, { lower: null })
  const { anchor } = own.subscription
  const use = { subscription: 'plan', isLiving: true, period: { start: anchor, end: ends }, minor: 500, anchor }
  const coupon = {
    code: 'FIVE',
    amountOff: { usd: 500 },
    duration: 'forever',
    appliesTo: ['plan', 'instance'],
  } as const
  const facts: RenewalFacts = {
    own,
    active: [own, renewable('a', ends)],
    raised: new Set(),
    items: [{ item: { id: 'item a', subscription_id: 'a', price_id: 'price' }, terms: instance, chargedUntil: ends }],
    redemptions: [
      {
        coupon: { ...coupon, appliesTo: [...coupon.appliesTo] },
        redeemedAt: anchor,
        uses: [{ ...use, zone: 'UTC' }],
        hasCard: true,
      },
    ],
    means: { promo: money(0, 'usd'), cash: money(0, 'usd'), mayRoll: true },
    issuedToday: 0,
  }
  const step = decideRenewal(facts, { dueAt: ends, limits })
  expect(step).toMatchObject({ does: 'renew', basket: { total: money(940, 'usd') } })
})
