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
export { hasInstanceProcess } from './drivers/process/process-table.ts'
