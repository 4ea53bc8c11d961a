export {
  type Catalog,
  type CatalogCloud,
  CatalogError,
  type CatalogOffering,
  type CatalogVersion,
  imageOf,
  parseCatalog,
  readCatalog,
} from './catalog.ts'
export { type Compute, type ComputeOptions, checkClouds, createCompute, type ProviderPlace } from './compute.ts'
export {
  type ComputeProvider,
  type InstanceChange,
  type InstanceSpec,
  type Observed,
  type ProviderClaim,
  ProviderError,
  type ProviderWatch,
} from './compute-provider.ts'
export { fixedCatalog, type LiveCatalog, openCatalog } from './live-catalog.ts'
