import { getEstimatedAmount } from '@atoll/contract/billing'
import { implement, type Route } from '../../../http/route.ts'
import { type EstimateDeps, estimateAmount } from '../estimate/estimate-service.ts'

export function estimateAmountRoute(deps: EstimateDeps): Route {
  return implement(getEstimatedAmount, (body, { account, locale }) =>
    estimateAmount(deps, account.userid, body, locale),
  )
}
