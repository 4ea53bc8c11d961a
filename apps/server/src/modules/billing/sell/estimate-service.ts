import type { Clock } from '../../../platform/clock.ts'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { type Accounts, accountNow, type Limits } from '../../accounts/index.ts'
import { type InstanceTerms, type LiveCatalog, termsOfOffering } from '../../catalog/index.ts'
import type { Method } from '../pay/begin-payment.ts'
import { requireCardFor } from '../pricing/coupons/require-card.ts'
import { listUsableWith } from '../pricing/coupons/typed-coupon.ts'
import { basketText, quoteOf, signQuote } from '../pricing/estimate-token.ts'
import { type Estimate, estimateOrder } from './estimate-order.ts'

export interface EstimateDeps {
  db: Db
  clock: Clock
  sealer: Pick<Sealer, 'derive' | 'accepts'>
  catalog: Pick<LiveCatalog, 'current'>
  accounts: Pick<Accounts, 'getLimits'>
  /** The card that an order would be charged to. */
  findMethod(db: Db, userid: string): Promise<Method | null>
  /** A cluster of this very account; undefined for any other, an Admin's view of it included. */
  findOwnCluster(db: Db, userid: string, clusterId: string): Promise<{ cloudName: string | null } | undefined>
}

/** The order: a new cluster, or workers for an existing one. */
export type OrderRequest = { couponCode?: string | undefined } & (
  | { kind: 'cluster'; offering: string }
  | { kind: 'worker'; clusterId: string; offering: string; quantity: number }
)

export interface QuotedEstimate {
  estimate: Estimate
  /** The terms that each of the `quantity` instances is sold on. */
  sold: InstanceTerms
  quantity: number
  estimateToken: string
}

/** The cost of the order for the account now, with the token to order at that price. */
export async function estimateAmount(
  deps: EstimateDeps,
  userid: string,
  request: OrderRequest,
): Promise<QuotedEstimate> {
  const { db, clock, sealer, accounts } = deps
  const limits = await accounts.getLimits(db, userid)
  const clusterId = request.kind === 'worker' ? request.clusterId : null
  const quantity = request.kind === 'worker' ? request.quantity : 1
  const sold = await getTerms(deps, userid, limits, request)
  const method = await deps.findMethod(db, userid)
  const terms = Array.from({ length: quantity }, () => sold)
  const usable = await listUsableWith(deps, db, { userid, code: request.couponCode, limits })
  const estimate = await estimateOrder(db, limits, {
    userid,
    clusterId,
    terms,
    at: accountNow(limits, clock.now()),
    method,
    usable,
  })
  requireCardFor(usable, request.couponCode, estimate.basket)
  const asked = { userid, basket: basketText({ ...request }) }
  const estimateToken = signQuote(sealer, quoteOf(asked, estimate.prices, estimate.basket, estimate.at))
  return { estimate, sold, quantity, estimateToken }
}

/**
 * The terms of the requested offering; refuses one that is not sold, or not in the cluster's cloud or the account's
 * currency.
 */
async function getTerms(
  { db, catalog, findOwnCluster }: EstimateDeps,
  userid: string,
  { currency }: Limits,
  request: OrderRequest,
): Promise<InstanceTerms> {
  const own = request.kind === 'worker' ? await findOwnCluster(db, userid, request.clusterId) : undefined
  if (request.kind === 'worker' && !own) return refuse('notFound', { object: 'cluster' })
  for (const cloud of catalog.current().clouds) {
    const offering = cloud.offerings.find(({ name }) => name === request.offering)
    const terms = offering && termsOfOffering(cloud.cloudName, offering, currency)
    if (terms && (!own || own.cloudName === cloud.cloudName)) return terms
  }
  return refuse('offeringNotSold', { offering: request.offering })
}
