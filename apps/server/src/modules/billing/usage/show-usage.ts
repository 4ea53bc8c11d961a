import type { MeteredProduct, PlanUsage, productCalculate } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'
import { parseDecimal, quantityDecimals } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import { overageRate } from '../../catalog/index.ts'
import { priceUsage } from '../pricing/price-usage.ts'
import { type CurrentUsageDeps, type ProductUsage, readCurrentUsage } from './current-usage.ts'
import { metering, perUnit, quotaOfProduct } from './metered-products.ts'

type ShowDeps = CurrentUsageDeps & { db: Db }

/** What was used in the running period, a row for each product. */
export async function listUsage(deps: ShowDeps, userid: string): Promise<PlanUsage[]> {
  const { products } = await readCurrentUsage(deps, deps.db, userid)
  return products.map(usageJson)
}

function usageJson({ product: productType, used, quota, overage, amount, state, read }: ProductUsage): PlanUsage {
  const networks = new Map<string, bigint>()
  const readings = read.readings.map(({ reading }) => reading)
  for (const { network, used: part } of readings.flatMap(({ parts }) => parts)) {
    if (network !== undefined) networks.set(network, (networks.get(network) ?? 0n) + part)
  }
  const asOf = readings.reduce((last, reading) => (reading.asOf > last ? reading.asOf : last), new Date(0))
  return {
    ...{ productType, used: toUnits(used), quota: toUnits(quota), overage: toUnits(overage), state },
    unitLabel: metering[productType].unitLabel,
    ...{ amount: amount.minor, currency: amount.currency, asOf: asOf.toISOString() },
    networks: [...networks].map(([network, part]) => ({ network, used: toUnits(part) })),
  }
}

/** What so much of a product in a period would cost on the account's plan; a month of it where it is stored. */
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

function toUnits(micros: bigint): number {
  return Number(micros) / Number(perUnit)
}
