export { type Compute, checkClouds, createCompute, type ProviderPlace } from './compute.ts'
export { hasInstanceProcess } from './drivers/process/process-table.ts'
export {
  type ComputeProvider,
  type InstanceChange,
  type Observed,
  ProviderError,
  type ProviderWatch,
} from './provider/compute-provider.ts'
