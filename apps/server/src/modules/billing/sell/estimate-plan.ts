import { type Period, periodAt, periodIndexAt } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { Limits } from '../../accounts/index.ts'
import { type Catalog, type PlanTerms, priceIdOf, priceOfTerms, termsOfPlan } from '../../catalog/index.ts'
import { type Method, readMeans } from '../pay/begin-payment.ts'
import type { PlanItem, PricedBasket } from '../pricing/basket.ts'
import { couponFacts } from '../pricing/coupons/coupon-facts.ts'
import { estimateInstant } from '../pricing/estimate-token.ts'
import { type PriceAfter, priceAfter } from '../pricing/price-after.ts'
import { priceBasket } from '../pricing/price-basket.ts'
import { listUsable } from '../records/coupon-store.ts'
import { type OwnPlan, readOwnPlan } from '../records/own-plan.ts'

/** `stay`: the account has it already; what was to come instead is taken back. */
export type PlanMove = 'up' | 'down' | 'stay'

export interface PlanEstimate extends PriceAfter {
  move: PlanMove
  /** The account's plan as read. */
  own: OwnPlan
  level: number
  /** Of the plan that is asked for; undefined for Free. */
  terms: PlanTerms | undefined
  /** When it is priced, and where a higher plan begins. */
  at: Date
  effectiveAt: Date
  /** Nothing in it for a plan that costs nothing now. */
  basket: PricedBasket
  /** Ids of the prices, in the order of the items. */
  prices: string[]
  /** When the next bill is. */
  nextAt: Date
}

export interface PlanRequest {
  userid: string
  level: number
  /** Time of the account; priced at its whole second. */
  at: Date
  /** The card on file. */
  method: Method | null
}

/**
 * The cost of changing to a plan at that instant. A higher plan costs the new price less the old one for the rest of
 * the paid time or, from Free, its first month; a lower one begins when the paid time ends. Refuses a plan that is not
 * sold.
 */
export async function estimatePlan(
  db: Db,
  catalog: Pick<Catalog, 'plans'>,
  limits: Pick<Limits, 'currency' | 'zone'>,
  { userid, level, at: now, method }: PlanRequest,
): Promise<PlanEstimate> {
  const { currency, zone } = limits
  const at = estimateInstant(now)
  const own = await readOwnPlan(db, userid)
  const currentLevel = own.current?.terms.level ?? 0
  const move = level > currentLevel ? 'up' : level < currentLevel ? 'down' : 'stay'
  const terms = move === 'stay' ? own.current?.terms : getTerms(catalog, level, currency)
  const periods = paidPeriods(own, at, limits)
  const end = periods.at(-1)?.end ?? at
  const coupons = (await listUsable(db, userid)).map((one) => couponFacts(one, currency))
  const subscription = own.subscription?.id ?? ''
  const instead = own.current && priceOfTerms(own.current.terms)
  const items =
    move === 'up' && terms
      ? periods.map((period, place) => ({
          kind: 'plan' as const,
          key: String(place),
          subscription,
          price: priceOfTerms(terms),
          period,
          ...(instead && { instead }),
        }))
      : []
  const means = await readMeans(db, { userid, at, mayRoll: method !== null }, currency)
  const basket = priceBasket({ currency, items, coupons, means }, at)
  const itemsIn = (period: Period): PlanItem[] =>
    terms ? [{ kind: 'plan', key: '0', subscription, price: priceOfTerms(terms), period }] : []
  const anchor = own.subscription?.anchor ?? at
  return {
    move,
    own,
    level,
    terms,
    at,
    effectiveAt: move === 'down' ? end : at,
    basket,
    prices: terms && move === 'up' ? items.map(() => priceIdOf(terms)) : [],
    ...priceAfter({ anchor, zone, subscription, coupons, basket, itemsIn }, end),
    nextAt: end,
  }
}

/** The plan as it is sold to the account; undefined for Free, which is not sold. */
function getTerms(
  { plans }: Pick<Catalog, 'plans'>,
  level: number,
  currency: Limits['currency'],
): PlanTerms | undefined {
  if (level === 0) return undefined
  const plan = plans.find((candidate) => candidate.level === level)
  return (plan && termsOfPlan(plan, currency)) ?? refuse('planNotSold')
}

/** The period that holds `at`, and the one after it where that was billed early. From Free, the first. */
function paidPeriods({ subscription, current }: OwnPlan, at: Date, { zone }: Pick<Limits, 'zone'>): Period[] {
  if (!subscription || !current) return [periodAt(at, 0, zone)]
  const { anchor, period_start: start, period_end: end } = subscription
  const now = periodAt(anchor, periodIndexAt(anchor, at, zone), zone)
  return start > at ? [now, { start, end }] : [now]
}
