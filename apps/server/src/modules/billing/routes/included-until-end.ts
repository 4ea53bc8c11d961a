import type { PlanIncluded } from '@atoll/contract/billing'
import type { Period } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import { overageRate, type PlanTerms } from '../../catalog/index.ts'
import { includedOf } from '../pricing/price-usage.ts'
import { type CurrentUsageDeps, readCurrentUsage } from '../usage/current-usage.ts'
import { metering, quotaOfProduct, toUnits } from '../usage/metered-products.ts'

/**
 * The quota of each product with a raise to `terms` at `at`: until the end of the running period, and after it.
 * `begins`: the first period of the plan, if the account is on Free, whose period ends with the raise.
 */
export async function readIncluded(
  deps: CurrentUsageDeps,
  db: Db,
  { userid, terms, at, begins }: { userid: string; terms: PlanTerms; at: Date; begins: Period | undefined },
): Promise<{ included: PlanIncluded[]; periodEnd: Date }> {
  const { period, products } = await readCurrentUsage(deps, db, userid)
  const included = products.map(({ product, read: { item } }): PlanIncluded => {
    const full = quotaOfProduct(terms.quotas, product)
    const raised = { part: { start: at, end: period.end }, used: 0n, quota: full }
    const before = item.parts.map((one) => (one.part.end > at ? { ...one, part: { ...one.part, end: at } } : one))
    const { quota, counted, limit } = begins
      ? { quota: full, counted: 0n, limit: full }
      : includedOf({ ...item, parts: [...before, raised] })
    return {
      productType: product,
      untilEnd: toUnits(quota),
      after: toUnits(full),
      unitLabel: metering[product].unitLabel,
      staysStopped: counted > 0n && counted >= limit && overageRate(terms, product) === undefined,
    }
  })
  return { included, periodEnd: (begins ?? period).end }
}
