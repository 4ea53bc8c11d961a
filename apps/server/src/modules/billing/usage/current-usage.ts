import { type MeteredProduct, meteredProducts, type UsageState, type UsageStop } from '@atoll/contract/billing'
import { addMoney, type Money, money, type Period, smallerMoney, subtractMoney, sumMoney } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { type Accounts, accountNow, type Limits } from '../../accounts/index.ts'
import { type PlanTerms, termsOfPlan } from '../../catalog/index.ts'
import { couponFacts } from '../pricing/coupons/coupon-facts.ts'
import { priceBasket } from '../pricing/price-basket.ts'
import { atLeastNothing } from '../pricing/price-prepaid.ts'
import { includedOf, priceUsage } from '../pricing/price-usage.ts'
import { listUsable } from '../records/coupon-store.ts'
import type { SubscriptionRow } from '../records/documents/document-tables.ts'
import { isPastDue } from '../records/dunning-store.ts'
import { type OwnPlan, readOwnPlan } from '../records/own-plan.ts'
import { usagePeriodOf } from '../records/usage-period.ts'
import { readWallClock } from '../records/wall-clock.ts'
import { findCap } from './cap-store.ts'
import { findCovered } from './credit-store.ts'
import { planSpans } from './plan-spans.ts'
import { type ReadUsage, readUsage, type UsageDeps } from './read-usage.ts'
import { type BilledUsage, readBilled } from './reading-store.ts'
import { type MeansDeps, readUsageMeans, type UsageMeans } from './usage-means.ts'
import { listWaiting, priceWaiting, type WaitingUsage } from './waiting-usage.ts'

export type CurrentUsageDeps = UsageDeps &
  MeansDeps & {
    clock: Clock
    accounts: Pick<Accounts, 'getLimits'>
  }

/** Usage of a product in the running period, and its price so far. */
export interface ProductUsage {
  product: MeteredProduct
  /** 10^-6 units. */
  used: bigint
  /** The quota until the end of the period; if the plan was raised within it, in proportion to the paid time. */
  quota: bigint
  /** Above what was included while it was used. */
  overage: bigint
  /** Usage that counts against `limit`, above which it is charged or stops; without usage charged before a raise. */
  counted: bigint
  limit: bigint
  amount: Money
  state: UsageState
  /** Why it stops; undefined while it goes on. */
  stop?: UsageStop
  read: ReadUsage
}

export interface CurrentUsage {
  period: Period
  /** The plan that counts now; undefined where nothing says what Free includes: nothing is limited. */
  terms: PlanTerms | undefined
  cap: Money | undefined
  /** The price of all usage so far, billed or not. */
  amount: Money
  /** The unbilled price, including earlier periods that wait for their meters, less its discount. */
  unbilled: Money
  /** Those periods. */
  waiting: readonly WaitingUsage[]
  /** The means that pay for it; undefined if nothing is charged. */
  means: UsageMeans | undefined
  /** Why nothing more is charged; undefined while more is. */
  stop: UsageStop | undefined
  products: ProductUsage[]
}

/**
 * As the bill at the end of the period would have it, of what was used until now; or until `moment`, of the account's
 * time, by the promotional credit of then. `own`: the account's plan, if the caller has read it.
 */
export async function readCurrentUsage(
  deps: CurrentUsageDeps,
  db: Db,
  userid: string,
  { own: read, moment }: { own?: OwnPlan; moment?: Date | undefined } = {},
): Promise<CurrentUsage> {
  const limits = await deps.accounts.getLimits(db, userid)
  const { currency } = limits
  const at = moment ?? accountNow(limits, deps.clock.now())
  const own = read ?? (await readOwnPlan(db, userid))
  const period = usagePeriodOf(own, limits, at)
  const terms = own.current?.terms ?? freeTerms(deps, currency)
  const cap = await findCap(db, { userid, currency, terms }, at)
  const nothing = money(0, currency)
  const none = { amount: nothing, unbilled: nothing, waiting: [], means: undefined, stop: undefined, products: [] }
  if (!terms) return { period, terms, cap, ...none }
  const subscription = own.current && own.subscription
  const spans = planSpans((subscription && own.sold) ?? [], period)
  const counted = spans.length > 0 ? spans : [{ terms, part: period }]
  const wallClock = await readWallClock(db, userid, limits)
  const reads: { product: MeteredProduct; read: ReadUsage }[] = []
  for (const product of meteredProducts) {
    const asked = { userid, product, period, spans: counted, until: at, wallClock }
    reads.push({ product, read: await readUsage(deps, db, asked) })
  }
  const credit =
    subscription && (await readCredit(deps, db, { userid, limits, at, own, subscription, period, cap, reads }))
  let left = credit?.most ? smallerMoney(credit.most, cap ?? credit.most) : cap
  let amount = nothing
  const products: ProductUsage[] = []
  for (const { product, read } of reads) {
    const { amount: cost } = priceUsage(read.item, currency, left)
    amount = sumMoney([amount, cost], currency)
    left = left && subtractMoney(left, cost)
    products.push({ product, ...includedOf(read.item), amount: cost, state: 'within', read })
  }
  const stop = await whyStopped(db, userid, { cap, amount, credit })
  for (const one of products) Object.assign(one, standingOf(one, terms, stop))
  const { unbilled = nothing, waiting = [], means } = credit ?? {}
  return { period, terms, cap, amount, unbilled, waiting, means, stop, products }
}

interface Credit {
  means: UsageMeans
  unbilled: Money
  waiting: readonly WaitingUsage[]
  /** The most that the period may cost by the means that cover it; undefined: no limit. */
  most: Money | undefined
}

async function readCredit(
  deps: CurrentUsageDeps,
  db: Db,
  facts: {
    userid: string
    limits: Limits
    at: Date
    own: OwnPlan
    subscription: SubscriptionRow
    period: Period
    cap: Money | undefined
    reads: readonly { product: MeteredProduct; read: ReadUsage }[]
  },
): Promise<Credit> {
  const { userid, limits, at, own, subscription, period, cap, reads } = facts
  const { currency } = limits
  const running = { subscriptionId: subscription.id, start: period.start }
  const ended = await listWaiting(db, { userid, limits, at, but: running })
  const billedOf = await readBilled(db, currency, [running, ...ended])
  const billed = billedOf(running)
  const coupons = (await listUsable(db, userid)).map((one) => couponFacts(one, currency))
  const { promo, cash } = { promo: money(0, currency), cash: money(0, currency) }
  const items = reads.map(({ product, read: { item } }) => ({
    ...item,
    subscription: subscription.id,
    charged: billed.of(product),
  }))
  const usageCap = cap && atLeastNothing(subtractMoney(cap, billed.total))
  const basket = { currency, items, coupons, means: { promo, cash, mayRoll: true }, ...(usageCap && { usageCap }) }
  const waiting = await priceWaiting(deps, db, { userid, limits, at, own }, ended, billedOf)
  const before = sumMoney(
    waiting.map((one) => one.unbilled),
    currency,
  )
  const unbilled = addMoney(priceBasket(basket, at).total, before)
  const means = await readUsageMeans(deps, db, { userid, currency, at })
  const kept = await findCovered(db, running)
  const most = mostCharged({ means, billed, covered: kept?.covered ?? 0, waiting: before })
  return { means, unbilled, waiting, most }
}

/**
 * The most that a period may cost by the means that cover it: an amount that was covered once stays covered. Undefined:
 * no limit, because the card has proven that it pays.
 */
export function mostCharged({
  means: { allowance, isProven },
  billed,
  covered,
  waiting,
}: {
  means: UsageMeans
  billed: BilledUsage
  covered: number
  /** Unbilled amounts of other periods, which come first. */
  waiting?: Money
}): Money | undefined {
  if (isProven) return undefined
  const { minor, currency } = allowance
  const rest = Math.max(minor - (waiting?.minor ?? 0), 0)
  return money(Math.max(covered, billed.total.minor + rest), currency)
}

async function whyStopped(
  db: Db,
  userid: string,
  { cap, amount, credit }: { cap: Money | undefined; amount: Money; credit: Credit | undefined },
): Promise<UsageStop | undefined> {
  if (cap !== undefined && amount.minor >= cap.minor) return 'cap'
  if (credit?.means.hasFailed) return 'bill'
  if (credit && credit.unbilled.minor >= credit.means.allowance.minor) return credit.means.hasCard ? 'credit' : 'means'
  return (credit ? credit.means.isPastDue : await isPastDue(db, userid)) ? 'pastDue' : undefined
}

/** Without means it stops as on Free. */
function standingOf(
  { product, counted, limit }: ProductUsage,
  { overage }: PlanTerms,
  stop: UsageStop | undefined,
): { state: UsageState; stop?: UsageStop } {
  if (counted < limit || counted === 0n) return { state: 'within' }
  if (overage[product] === undefined) return { state: 'limited', stop: 'plan' }
  if (stop) return { state: stop === 'means' ? 'limited' : 'frozen', stop }
  return { state: counted === limit ? 'within' : 'charged' }
}

/** The terms of the Free plan; undefined where the catalogue has none. */
export function freeTerms(
  { catalog }: Pick<CurrentUsageDeps, 'catalog'>,
  currency: Money['currency'],
): PlanTerms | undefined {
  const free = catalog.current().plans.find(({ level }) => level === 0)
  return free && termsOfPlan(free, currency)
}
