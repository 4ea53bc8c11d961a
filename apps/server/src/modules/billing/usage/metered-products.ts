import type { MeteredProduct } from '@atoll/contract/billing'
import type { Quotas } from '../../catalog/index.ts'
import type { UsageItem } from '../pricing/basket.ts'

/** How each product is measured, and the quota of a plan that it counts against. */
export const metering: Readonly<
  Record<MeteredProduct, { measure: UsageItem['measure']; quota: keyof Quotas; unitLabel: string }>
> = {
  cloud_storage: { measure: 'stock', quota: 'storageGB', unitLabel: 'GB' },
  cloud_backup: { measure: 'stock', quota: 'backupGB', unitLabel: 'GB' },
  cloud_traffic: { measure: 'flow', quota: 'trafficGB', unitLabel: 'GB' },
  cdn_traffic: { measure: 'flow', quota: 'cdnGB', unitLabel: 'GB' },
}

/** 10^-6 of a unit. */
export const perUnit = 1_000_000n

export function toUnits(micros: bigint): number {
  return Number(micros) / Number(perUnit)
}

/** A plan's quota of a product in a period, 10^-6 units. */
export function quotaOfProduct(quotas: Quotas, product: MeteredProduct): bigint {
  return BigInt(quotas[metering[product].quota] ?? 0) * perUnit
}
