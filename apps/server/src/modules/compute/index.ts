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
export { type ComputeProvider, type InstanceSpec, type Observed, ProviderError } from './compute-provider.ts'
