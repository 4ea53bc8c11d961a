import { getEstimatedAmount } from '@atoll/contract/billing'
import { implement, type Route } from '../../../http/route.ts'
import { estimateJson } from '../estimate/estimate-json.ts'
import { type EstimateDeps, estimateAmount } from '../estimate/estimate-service.ts'

export function estimateAmountRoute(deps: EstimateDeps): Route {
  return implement(getEstimatedAmount, async (body, { account, locale }) =>
    estimateJson(await estimateAmount(deps, account.userid, body), locale),
  )
}
