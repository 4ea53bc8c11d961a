import type { Catalog, CatalogPlan } from '../../catalog/index.ts'

const quotas = { storageGB: 20, backupGB: 5, trafficGB: 50, cdnGB: 0, bandwidthMbit: 20, drills: 0 }

function plan(level: number, usd: number, vCpu: number, more: Partial<CatalogPlan> = {}): CatalogPlan {
  return {
    level,
    price: { usd },
    quotas: { ...quotas, vCpu, trafficGB: level * 300 },
    overage: { cloud_traffic: { usd: '0.03' }, cloud_storage: { usd: '0.05' } },
    ...more,
  }
}

/** Free, Starter 3.00, Basic 9.00 and Pro 29.00 dollars a month. */
export const testPlans: CatalogPlan[] = [
  { level: 0, quotas, overage: {} },
  plan(1, 300, 16),
  plan(2, 900, 32),
  plan(3, 2900, 64),
]

/** A catalogue that sells these plans and nothing else. */
export function catalogOf(plans: CatalogPlan[], more: Partial<Catalog> = {}): { current(): Catalog } {
  const catalog = { clouds: [], plans, coupons: [], versions: [], maxWorkers: 8, ...more }
  return { current: () => catalog }
}
