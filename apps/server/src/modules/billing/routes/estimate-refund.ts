import { getEstimatedRefundAmount } from '@atoll/contract/billing'
import { implement, type Route } from '../../../http/route.ts'
import { estimateRefundOf, type RefundDeps } from '../refunds/estimate-refund.ts'
import { refundJson } from '../refunds/refund-json.ts'

export function estimateRefundRoute(deps: RefundDeps): Route {
  return implement(getEstimatedRefundAmount, async (body, { account, locale }) =>
    refundJson(await estimateRefundOf(deps, account.userid, body), locale),
  )
}
