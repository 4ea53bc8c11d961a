import { planUsage, productCalculate, spendCapSet } from '@atoll/contract/billing'
import { implement, type Route } from '../../../http/route.ts'
import { type CapDeps, setCap } from '../usage/set-cap.ts'
import { calculateProduct, listUsage } from '../usage/show-usage.ts'

export function usageRoutes(deps: CapDeps): Route[] {
  return [
    implement(planUsage, (_, { account }) => listUsage(deps, account.userid)),
    implement(productCalculate, (body, { account }) => calculateProduct(deps, account.userid, body)),
    implement(spendCapSet, (body, { account }) => setCap(deps, account, body)),
  ]
}
