import type { MeteredProduct, PlanUsage, productCalculate } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'
import { parseDecimal, quantityDecimals, startOfDay } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import { accountNow } from '../../accounts/index.ts'
import { overageRate } from '../../catalog/index.ts'
import { priceUsage } from '../pricing/price-usage.ts'
import { readWallClock } from '../records/wall-clock.ts'
import { type CurrentUsageDeps, type ProductUsage, readCurrentUsage } from './current-usage.ts'
import { metering, quotaOfProduct, toUnits } from './metered-products.ts'

type ShowDeps = CurrentUsageDeps & { db: Db }

/** Usage in the running period, one row per product. */
export async function listUsage(deps: ShowDeps, userid: string): Promise<PlanUsage[]> {
  const { products } = await readCurrentUsage(deps, deps.db, userid)
  const today = products.length > 0 ? await readToday(deps, userid) : undefined
  return products.map((one) => ({ ...usageJson(one), ...(one.product === 'cloud_traffic' && { today }) }))
}

/** The traffic since midnight; hours that counters began before it are yesterday's. */
async function readToday({ db, clock, accounts, meters }: ShowDeps, userid: string): Promise<PlanUsage['today']> {
  const limits = await accounts.getLimits(db, userid)
  const at = accountNow(limits, clock.now())
  const wallClock = await readWallClock(db, userid, limits)
  const [from, to] = [wallClock(startOfDay(at, limits.zone)), wallClock(at)]
  const { used, parts } = await meters.read(db, { userid, productType: 'cloud_traffic', from, to })
  const clusters = new Map<string, bigint>()
  for (const part of parts) clusters.set(part.clusterId, (clusters.get(part.clusterId) ?? 0n) + part.used)
  return {
    used: toUnits(used),
    clusters: [...clusters].map(([clusterId, part]) => ({ clusterId, used: toUnits(part) })),
  }
}

function usageJson({ product: productType, used, quota, overage, amount, state, stop, read }: ProductUsage): PlanUsage {
  const networks = new Map<string, bigint>()
  const readings = read.readings.map(({ reading }) => reading)
  for (const { network, used: part } of readings.flatMap(({ parts, uncharged = [] }) => [...parts, ...uncharged])) {
    if (network !== undefined) networks.set(network, (networks.get(network) ?? 0n) + part)
  }
  const asOf = readings.reduce((last, reading) => (reading.asOf > last ? reading.asOf : last), new Date(0))
  return {
    productType,
    used: toUnits(used),
    quota: toUnits(quota),
    overage: toUnits(overage),
    state,
    stop: stop ?? null,
    unitLabel: metering[productType].unitLabel,
    amount: amount.minor,
    currency: amount.currency,
    asOf: asOf.toISOString(),
    networks: [...networks].map(([network, part]) => ({ network, used: toUnits(part) })),
  }
}

/** The price of a quantity of a product in a period on the account's plan; of a stored product, for a month. */
export async function calculateProduct(
  deps: ShowDeps,
  userid: string,
  { productType, quantity }: { productType: MeteredProduct; quantity: string },
): Promise<CallData<typeof productCalculate>> {
  const { period, terms, amount } = await readCurrentUsage(deps, deps.db, userid)
  const { measure, unitLabel } = metering[productType]
  const quota = terms ? quotaOfProduct(terms.quotas, productType) : 0n
  const rate = terms && overageRate(terms, productType)
  const used = parseDecimal(quantity, quantityDecimals) ?? 0n
  const parts = [{ part: period, used, quota, ...(rate && { rate }) }]
  const cost = priceUsage({ kind: 'usage', key: productType, period, measure, parts }, amount.currency).amount
  const { minor, currency } = cost
  return { amount: minor, currency, quota: toUnits(quota), rate: terms?.overage[productType] ?? null, unitLabel }
}
