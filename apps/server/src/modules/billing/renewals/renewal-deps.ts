import type { OrderDeps } from '../billing-deps.ts'
import type { EstimateDeps } from '../estimate/estimate-service.ts'
import type { RefundDeps } from '../refunds/estimate-refund.ts'

/** What renewing and collecting is given: the card that a renewal is charged to is the one that an order would be. */
export type RenewalDeps = OrderDeps & Pick<EstimateDeps, 'findMethod'> & Pick<RefundDeps, 'listOwnInstances'>
