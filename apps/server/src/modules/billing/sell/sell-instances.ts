import { currencySymbols } from '@atoll/contract/wire'
import { formatMajorUnits } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { accountNow, type Limits } from '../../accounts/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { requireCardFor } from '../pricing/coupons/require-card.ts'
import { redeemTyped } from '../pricing/coupons/typed-coupon.ts'
import { basketText, quoteOf, readQuote, stillHolds } from '../pricing/estimate-token.ts'
import { listUsable } from '../records/coupon-store.ts'
import { type Estimate, estimateOrder } from './estimate-order.ts'
import type { EstimateDeps, OrderRequest } from './estimate-service.ts'
import { getOrderMethod, type OrderMethodDeps } from './own-method.ts'
import { type Order, type Ordered, placeOrder, placePriced } from './place-order.ts'

export interface Sale extends Pick<Order, 'userid' | 'clusterId' | 'instances'> {
  /** The account's, under its lock. */
  limits: Limits
  /** The order, as its estimate names it. */
  request: OrderRequest
  /** The figure that the customer was shown; without one it costs what it costs now. */
  estimateToken: string | undefined
  /** The card that the customer names for what is left. */
  methodId?: string | undefined
}

/**
 * Sells what a person ordered at the figure that they were shown, as `placeOrder` does. Refuses, with the new figure,
 * a token that is old, altered or somebody else's, and one whose figure does not hold any more. A coupon that is typed
 * with the order is redeemed here; one that is gone meanwhile refuses the order with what it costs without.
 */
export async function sellInstances(
  deps: OrderDeps & EstimateDeps & OrderMethodDeps,
  trx: Trx,
  sale: Sale,
): Promise<Ordered> {
  const { userid, clusterId, instances, limits, request, estimateToken, methodId } = sale
  const isFree = instances.every(({ terms }) => terms.amount === 0)
  const now = accountNow(limits, deps.clock.now())
  const free = { userid, clusterId, instances, at: now, coupons: [], method: null }
  const isPlain = estimateToken === undefined && request.couponCode === undefined && methodId === undefined
  if (isFree && isPlain) return await placeOrder(deps, trx, free)
  const isCouponTaken = await redeemTyped(deps, trx, { userid, code: request.couponCode, limits })
  const method = await getOrderMethod(deps, trx, userid, methodId)
  const terms = instances.map((instance) => instance.terms)
  const livingId = request.kind === 'cluster' ? null : clusterId
  const estimateAt = (at: Date) => estimateOrder(trx, limits, { userid, clusterId: livingId, terms, at, method })
  const asked = { userid, basket: basketText({ ...request }) }
  const shown = estimateToken === undefined ? undefined : readQuote(deps.sealer, estimateToken, asked, now)
  const asShown = await estimateAt(shown ? new Date(shown.at) : now)
  // If the priced period has ended, ordering at its price would add instances that are never charged: its renewal has
  // been made without them.
  const isOver = asShown.period.end <= now
  const estimate = isOver ? await estimateAt(now) : asShown
  if (request.couponCode !== undefined)
    requireCardFor(await listUsable(trx, userid), request.couponCode, estimate.basket)
  if (!isCouponTaken) refuse('couponGone', { code: request.couponCode ?? '', amount: amountOf(estimate) })
  if (shown && !stillHolds(shown, quoteOf(asked, estimate.prices, estimate.basket, estimate.at)))
    refuseChanged(estimate)
  if (estimateToken !== undefined && (!shown || isOver)) refuseChanged(estimate)
  if (isFree) return await placeOrder(deps, trx, free)
  return await placePriced(deps, trx, { userid, clusterId, instances, method }, estimate)
}

function refuseChanged(estimate: Estimate): never {
  return refuse('estimateChanged', { amount: amountOf(estimate) })
}

function amountOf({ basket: { total } }: Estimate): string {
  return `${currencySymbols[total.currency]}${formatMajorUnits(total)}`
}
