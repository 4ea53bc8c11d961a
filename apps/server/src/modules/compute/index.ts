export { type Compute, checkClouds, createCompute, type ProviderPlace, requireBuiltImage } from './compute.ts'
export { type LxdFigures, lookAtLxd } from './drivers/lxd/lxd-figures.ts'
export { hasInstanceProcess } from './drivers/process/process-table.ts'
export {
  type ComputeProvider,
  type InstanceChange,
  type MemberCapacity,
  type Observed,
  ProviderError,
  type ProviderWatch,
} from './provider/compute-provider.ts'
