import type { OrderDeps } from '../billing-deps.ts'
import type { RefundDeps } from '../sell/estimate-refund.ts'
import type { EstimateDeps } from '../sell/estimate-service.ts'

/** Dependencies of renewing and collecting. A renewal is charged to the same card as an order would be. */
export type RenewalDeps = OrderDeps & Pick<EstimateDeps, 'findMethod'> & Pick<RefundDeps, 'listOwnInstances'>
