/**
 * Usage and cost of a period. For the running period they are those of `plan/usage`. For a billed period they come from
 * the readings and amounts of its bills, so they agree with the documents even where a meter was corrected since: a
 * correction shows from the moment at which it is billed or credited.
 */
import { type MeteredProduct, meteredProducts } from '@atoll/contract/billing'
import { type Money, money, type Period, subtractMoney } from '@atoll/money'
import type { Db } from '../../../../platform/db/index.ts'
import type { Limits } from '../../../accounts/index.ts'
import type { PlanTerms } from '../../../catalog/index.ts'
import { includedOf, priceUsage } from '../../pricing/price-usage.ts'
import type { SubscriptionRow } from '../../records/documents/document-tables.ts'
import { listSoldPlans } from '../../records/own-plan.ts'
import { readWallClock } from '../../records/wall-clock.ts'
import { findCap } from '../cap-store.ts'
import { lastInstant } from '../correct-usage.ts'
import { type CurrentUsageDeps, freeTerms, readCurrentUsage } from '../current-usage.ts'
import { readPeriod } from '../period-usage.ts'
import { type ReadUsage, readUsage } from '../read-usage.ts'
import { isBilledWhole, readBilled } from '../reading-store.ts'
import { type KeptReading, keyOfPart, listBills, readKept } from './billed-periods.ts'
import type { CountedPeriod } from './list-periods.ts'

export interface ProductFigures {
  product: MeteredProduct
  read: Pick<ReadUsage, 'item' | 'readings'>
  /** 10^-6 units. */
  used: bigint
  quota: bigint
  overage: bigint
  /** Before discounts: billed less credited; for a period that is not billed yet, its cost until now. */
  amount: Money
  invoices: { invoiceId: string; number: string }[]
  /** When a part was read for its bill, wall clock; undefined where its figures are from the meters as they are now. */
  readAt(part: Period): Date | undefined
}

export interface PeriodFigures {
  isBilled: boolean
  planLevel: number
  /** Empty where the catalogue has no Free plan and the account no other. */
  products: ProductFigures[]
}

export interface About {
  userid: string
  limits: Limits
  /** Time of the account. */
  at: Date
}

export async function readFigures(
  deps: CurrentUsageDeps,
  db: Db,
  about: About,
  counted: CountedPeriod,
): Promise<PeriodFigures> {
  if (about.at < counted.until) return await readRunning(deps, db, about, counted)
  const { subscription } = counted
  return subscription
    ? await readPast(deps, db, about, { ...counted, subscription })
    : await readFree(deps, db, about, counted)
}

async function readRunning(
  deps: CurrentUsageDeps,
  db: Db,
  { userid }: About,
  { subscription, period }: CountedPeriod,
): Promise<PeriodFigures> {
  const { products, terms } = await readCurrentUsage(deps, db, userid)
  const bills = subscription ? await listBills(db, { userid, subscriptionId: subscription.id, period }) : []
  return {
    isBilled: false,
    planLevel: terms?.level ?? 0,
    products: products.map(({ product, read, used, quota, overage, amount }) => {
      return { product, read, used, quota, overage, amount, invoices: billsOf(bills, product), readAt: fromMeters }
    }),
  }
}

async function readPast(
  deps: CurrentUsageDeps,
  db: Db,
  { userid, limits }: About,
  { subscription, period }: CountedPeriod & { subscription: SubscriptionRow },
): Promise<PeriodFigures> {
  const { currency } = limits
  const of = { userid, subscriptionId: subscription.id, period }
  const isBilled = await isBilledWhole(db, of)
  const kept: ReadonlyMap<string, KeptReading> = isBilled ? await readKept(db, of) : new Map()
  const keptOf = (product: MeteredProduct) => (part: Period) => kept.get(keyOfPart(product, part))
  const sold = await listSoldPlans(db, subscription.id)
  const { spans, usage } = await readPeriod(deps, db, { userid, limits, sold, period, keptOf })
  const billedPeriod = { subscriptionId: subscription.id, start: period.start }
  const billed = (await readBilled(db, currency, [billedPeriod]))(billedPeriod)
  const bills = await listBills(db, of)
  const terms = spans.at(-1)?.terms
  let left = await findCap(db, { userid, currency, terms }, lastInstant(period))
  const products = usage.map(({ product, item, readings }): ProductFigures => {
    const cost = priceUsage(item, currency, left).amount
    left = left && subtractMoney(left, cost)
    const { used, quota, overage } = includedOf(item)
    return {
      product,
      read: { item, readings },
      used,
      quota,
      overage,
      invoices: billsOf(bills, product),
      amount: isBilled ? billed.of(product) : cost,
      readAt: (part) => keptOf(product)(part)?.readAt,
    }
  })
  return { isBilled, planLevel: terms?.level ?? 0, products }
}

async function readFree(
  deps: CurrentUsageDeps,
  db: Db,
  { userid, limits }: About,
  { period, until }: CountedPeriod,
): Promise<PeriodFigures> {
  const terms = freeTerms(deps, limits.currency)
  const wallClock = await readWallClock(db, userid, limits)
  const spans: { terms: PlanTerms; part: Period }[] = terms
    ? [{ terms, part: { start: period.start, end: until } }]
    : []
  const products: ProductFigures[] = []
  for (const product of terms ? meteredProducts : []) {
    const { item, readings } = await readUsage(deps, db, { userid, product, period, spans, wallClock })
    const { used, quota, overage } = includedOf(item)
    const amount = money(0, limits.currency)
    products.push({ product, read: { item, readings }, used, quota, overage, amount, invoices: [], readAt: fromMeters })
  }
  return { isBilled: false, planLevel: 0, products }
}

const fromMeters = () => undefined

function billsOf(
  bills: readonly { product: MeteredProduct; invoiceId: string; number: string }[],
  product: MeteredProduct,
): ProductFigures['invoices'] {
  const own = bills.filter((bill) => bill.product === product)
  return [...new Map(own.map(({ invoiceId, number }) => [invoiceId, { invoiceId, number }])).values()]
}
