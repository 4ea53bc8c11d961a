export { type Compute, checkClouds, createCompute, type ProviderPlace } from './compute.ts'
export {
  type ComputeProvider,
  type InstanceChange,
  type Observed,
  type ProviderClaim,
  ProviderError,
  type ProviderWatch,
} from './compute-provider.ts'
export { hasInstanceProcess } from './drivers/process/process-table.ts'
