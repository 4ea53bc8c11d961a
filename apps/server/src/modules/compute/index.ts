export {
  type Catalog,
  type CatalogCloud,
  CatalogError,
  type CatalogOffering,
  type CatalogVersion,
  parseCatalog,
  readCatalog,
} from './catalog.ts'
export { type Compute, type ComputeOptions, createCompute } from './compute.ts'
export {
  type ComputeProvider,
  type InstanceChange,
  type InstanceSpec,
  type Observed,
  ProviderError,
  type ProviderWatch,
} from './compute-provider.ts'
