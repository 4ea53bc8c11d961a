import { planChange, planChangeEstimate, planShow, subscriptionPeriod } from '@atoll/contract/billing'
import { implement, type Route } from '../../../http/route.ts'
import type { AttemptDeps } from '../records/attempt-deps.ts'
import { type PlanDeps, requestPlan } from '../sell/change-plan.ts'
import { listPlans, type PlanListDeps, showPeriod } from '../sell/list-plans.ts'
import type { CurrentUsageDeps } from '../usage/current-usage.ts'
import { quotePlan } from './quote-plan.ts'

export function planRoutes(deps: PlanDeps & PlanListDeps & CurrentUsageDeps & Pick<AttemptDeps, 'feed'>): Route[] {
  return [
    implement(planShow, (_, { account, locale }) => listPlans(deps, account.userid, locale)),
    implement(planChangeEstimate, ({ planLevel }, { account, locale }) =>
      quotePlan(deps, account.userid, planLevel, locale),
    ),
    implement(planChange, (body, { account }) => requestPlan(deps, account, body)),
    implement(subscriptionPeriod, (_, { account }) => showPeriod(deps, account.userid)),
  ]
}
