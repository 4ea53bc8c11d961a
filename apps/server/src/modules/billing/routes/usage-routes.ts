import {
  backupUsage,
  noticeSeen,
  planUsage,
  productCalculate,
  spendCapSet,
  trafficUsage,
  usageDays,
  usageLine,
  usagePeriods,
} from '@atoll/contract/billing'
import { implement, type Route } from '../../../http/route.ts'
import { type DaysDeps, pagePeriods, showDays } from '../usage/days/show-days.ts'
import { showLine } from '../usage/days/show-line.ts'
import { seeNotice } from '../usage/notices/notify-of-usage.ts'
import { readBackupSizes, readTrafficSizes } from '../usage/quota-sizes.ts'
import { type CapDeps, setCap } from '../usage/set-cap.ts'
import { calculateProduct, listUsage } from '../usage/show-usage.ts'

export function usageRoutes(deps: CapDeps & DaysDeps): Route[] {
  return [
    implement(planUsage, (_, { account }) => listUsage(deps, account.userid)),
    implement(usagePeriods, (body, { account }) => pagePeriods(deps, account.userid, body)),
    implement(usageDays, (body, { account }) => showDays(deps, account.userid, body)),
    implement(usageLine, (body, { account }) => showLine(deps, account.userid, body)),
    implement(productCalculate, (body, { account }) => calculateProduct(deps, account.userid, body)),
    implement(trafficUsage, (_, { account }) => readTrafficSizes(deps, account.userid)),
    implement(backupUsage, (_, { account }) => readBackupSizes(deps, account.userid)),
    implement(noticeSeen, async ({ object }, { account }) => {
      await seeNotice(deps, account.userid, object)
      return {}
    }),
    implement(spendCapSet, (body, { account }) => setCap(deps, account, body)),
  ]
}
