import type { OrderDeps } from '../billing-deps.ts'
import type { RefundDeps } from '../sell/estimate-refund.ts'
import type { EstimateDeps } from '../sell/estimate-service.ts'

/** What renewing and collecting is given: the card that a renewal is charged to is the one that an order would be. */
export type RenewalDeps = OrderDeps & Pick<EstimateDeps, 'findMethod'> & Pick<RefundDeps, 'listOwnInstances'>
