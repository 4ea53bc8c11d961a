import { type MeteredProduct, meteredProducts, type UsageState } from '@atoll/contract/billing'
import { type Money, money, type Period, secondsBetween, sumMoney } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { type Accounts, accountNow } from '../../accounts/index.ts'
import { type LiveCatalog, type PlanTerms, termsOfPlan } from '../../catalog/index.ts'
import { readOwnPlan } from '../plans/own-plan.ts'
import { usagePeriodOf } from '../plans/usage-period.ts'
import { priceUsage } from '../pricing/price-usage.ts'
import { isPastDue } from '../renewals/dunning-store.ts'
import { readWallClock } from '../travel/wall-clock.ts'
import { findCap } from './cap-store.ts'
import { quotaOfProduct } from './metered-products.ts'
import { listPlanSpans } from './plan-spans.ts'
import { type ReadUsage, readUsage, type UsageDeps } from './read-usage.ts'

export type CurrentUsageDeps = UsageDeps & {
  clock: Clock
  catalog: Pick<LiveCatalog, 'current'>
  accounts: Pick<Accounts, 'getLimits'>
}

/** What was used of a product in the running period, and what that costs until now. */
export interface ProductUsage {
  product: MeteredProduct
  /** 10^-6 units. */
  used: bigint
  quota: bigint
  /** Above the quotas that counted while it was used. */
  overage: bigint
  amount: Money
  state: UsageState
  read: ReadUsage
}

export interface CurrentUsage {
  period: Period
  /** The plan that counts now; undefined where nothing says what Free includes: nothing is limited. */
  terms: PlanTerms | undefined
  cap: Money | undefined
  /** What all of it costs until now. */
  amount: Money
  products: ProductUsage[]
}

/** As the bill at the end of the period would have it, of what was used until now. */
export async function readCurrentUsage(deps: CurrentUsageDeps, db: Db, userid: string): Promise<CurrentUsage> {
  const limits = await deps.accounts.getLimits(db, userid)
  const { currency } = limits
  const at = accountNow(limits, deps.clock.now())
  const own = await readOwnPlan(db, userid)
  const period = usagePeriodOf(own, limits, at)
  const terms = own.current?.terms ?? freeTerms(deps, currency)
  const cap = await findCap(db, userid, currency, at)
  const nothing = money(0, currency)
  if (!terms) return { period, terms, cap, amount: nothing, products: [] }
  const spans = own.subscription && own.current ? await listPlanSpans(db, own.subscription.id, period) : []
  const counted = spans.length > 0 ? spans : [{ terms, part: period }]
  const wallClock = await readWallClock(db, userid, limits)
  const products: ProductUsage[] = []
  let amount = nothing
  for (const product of meteredProducts) {
    const asked = { userid, product, period, spans: counted, until: at, wallClock }
    const read = await readUsage(deps, db, asked)
    const left = cap && money(Math.max(cap.minor - amount.minor, 0), currency)
    const { amount: cost, explain } = priceUsage(read.item, currency, left)
    const above = explain.rule === 'usage' ? explain.parts.reduce((sum, part) => sum + BigInt(part.above), 0n) : 0n
    const facts = {
      used: read.item.parts.reduce((sum, part) => sum + part.used, 0n),
      quota: quotaOfProduct(terms.quotas, product),
      overage: above / BigInt(secondsBetween(period.start, period.end)),
    }
    amount = sumMoney([amount, cost], currency)
    products.push({ product, ...facts, amount: cost, state: 'within', read })
  }
  const isFrozen = (cap !== undefined && amount.minor >= cap.minor) || (await isPastDue(db, userid))
  for (const one of products) one.state = stateOf(one, terms, isFrozen)
  return { period, terms, cap, amount, products }
}

function stateOf({ product, used, quota }: ProductUsage, { overage }: PlanTerms, isFrozen: boolean): UsageState {
  if (used < quota || used === 0n) return 'within'
  if (overage[product] === undefined) return 'limited'
  if (isFrozen) return 'frozen'
  return used === quota ? 'within' : 'charged'
}

function freeTerms({ catalog }: CurrentUsageDeps, currency: Money['currency']): PlanTerms | undefined {
  const free = catalog.current().plans.find(({ level }) => level === 0)
  return free && termsOfPlan(free, currency)
}
