export {
  type Catalog,
  type CatalogCloud,
  type CatalogOffering,
  type CatalogVersion,
  imageOf,
} from './catalog.ts'
export { CatalogError, parseCatalog, readCatalog } from './catalog-file.ts'
export type { CatalogCoupon } from './coupons.ts'
export { fixedCatalog, type LiveCatalog, openCatalog } from './live-catalog.ts'
export type { LxdSettings } from './lxd-settings.ts'
export type { CatalogPlan, Quotas } from './plans.ts'
export { type Prices, priceIn } from './prices.ts'
