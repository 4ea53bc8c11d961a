export { catalogChannel } from './applied-store.ts'
export {
  applyCatalog,
  type CatalogChange,
  type CatalogPlace,
  compareCatalog,
  raisesOvercommit,
  readCatalogInUse,
} from './apply-catalog.ts'
export {
  type Catalog,
  type CatalogCloud,
  type CatalogOffering,
  type CatalogVersion,
  imageOf,
  usageThreshold,
} from './catalog.ts'
export { CatalogError, type CatalogText, parseCatalog, readCatalog, readCatalogText } from './catalog-file.ts'
export { type CatalogCoupon, Coupon } from './coupons.ts'
export { type LiveCatalog, openCatalog } from './live-catalog.ts'
export type { LxdSettings } from './lxd-settings.ts'
export type { CatalogPlan, Quotas } from './plans.ts'
export { getPrices, keepPrice, keepPrices, parseTerms, soldAmounts, termsOf } from './price-store.ts'
export {
  type InstanceTerms,
  overageRate,
  type PlanTerms,
  type PriceTerms,
  priceIdOf,
  priceOfTerms,
  termsOfOffering,
  termsOfPlan,
} from './price-terms.ts'
export { type Prices, priceIn } from './prices.ts'
export { planLimits } from './region-limits.ts'
