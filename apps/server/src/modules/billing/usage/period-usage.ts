import { type MeteredProduct, meteredProducts } from '@atoll/contract/billing'
import type { Period } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import type { Limits } from '../../accounts/index.ts'
import type { SoldPlan } from '../records/own-plan.ts'
import { readWallClock } from '../records/wall-clock.ts'
import type { Reading } from './meters.ts'
import { type PlanSpan, planSpans } from './plan-spans.ts'
import { type ReadUsage, readUsage, type UsageDeps } from './read-usage.ts'

/** Usage of each product in a period of a plan, split where one plan replaced another. */
export interface PeriodUsage {
  spans: PlanSpan[]
  usage: (ReadUsage & { product: MeteredProduct })[]
}

export async function readPeriod(
  deps: UsageDeps,
  db: Db,
  {
    userid,
    limits,
    sold,
    period,
    until,
    keptOf,
  }: {
    userid: string
    limits: Limits
    /** All plans of its subscription. */
    sold: readonly SoldPlan[]
    period: Period
    until?: Date
    /** For each product, the readings recorded at billing (see `kept` of `readUsage`). */
    keptOf?: (product: MeteredProduct) => ((part: Period) => Reading | undefined) | undefined
  },
): Promise<PeriodUsage> {
  const spans = planSpans(sold, period)
  const wallClock = await readWallClock(db, userid, limits)
  const usage: PeriodUsage['usage'] = []
  for (const product of meteredProducts) {
    const kept = keptOf?.(product)
    const asked = { userid, product, period, spans, wallClock, ...(until && until < period.end && { until }) }
    usage.push({ product, ...(await readUsage(deps, db, { ...asked, ...(kept && { kept }) })) })
  }
  return { spans, usage }
}
