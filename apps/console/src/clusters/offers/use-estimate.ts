import { type Estimate, getEstimatedAmount } from '@atoll/contract/billing'
import { type PaymentMethod, paymentMethodList } from '@atoll/contract/payments'
import { CallFailure } from '../../data/call-failure.ts'
import { useCall } from '../../data/use-call.ts'

/** The order; `offering` undefined: nothing that costs money. */
export interface EstimatedOrder {
  offering: string | undefined
  /** Workers of this cluster; undefined: a new cluster. */
  workers?: { clusterId: string; quantity: number } | undefined
  /** A coupon that goes with the order. */
  couponCode?: string | undefined
}

export interface OrderEstimate {
  /** Undefined while it is asked for, and where nothing is. */
  estimate: Estimate | undefined
  error: Error | null
  /** A figure that no longer holds is asked for again. */
  refetch: () => Promise<unknown>
  /** The card that is charged; undefined: there is none. */
  method: PaymentMethod | undefined
  /** A part is for a card, and there is none. */
  lacksCard: boolean
}

/** An estimate holds 15 minutes; it is asked for again well before. ms */
const renewedMs = 10 * 60_000

/** The body of an order's estimate. */
export function estimateBody({ offering = '', workers, couponCode }: EstimatedOrder) {
  const rest = { offering, ...(couponCode !== undefined && { couponCode }) }
  return workers ? { kind: 'worker' as const, ...workers, ...rest } : { kind: 'cluster' as const, ...rest }
}

/** The cost of an order, to the cent. Another order is another estimate: the one before is aborted. */
export function useEstimate(order: EstimatedOrder): OrderEstimate {
  const enabled = order.offering !== undefined
  const { data, error, refetch } = useCall(getEstimatedAmount, estimateBody(order), {
    enabled,
    refetchInterval: renewedMs,
  })
  const methods = useCall(paymentMethodList, {}, { enabled }).data?.methods
  return {
    estimate: enabled ? data : undefined,
    error: enabled ? error : null,
    refetch,
    method: methods?.find(({ isDefault }) => isDefault),
    lacksCard: methods?.length === 0 && data !== undefined && data.toCard > 0,
  }
}

/** The order was refused for the coupon that went along. */
export function isCouponRefused(error: Error | null): boolean {
  return error instanceof CallFailure && error.field === 'couponCode'
}
