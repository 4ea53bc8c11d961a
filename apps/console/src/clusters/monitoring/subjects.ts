import type { Resource, ResourceDetail } from '@atoll/contract/clusters'

type Instance = ResourceDetail['data'][number]

/** Whose line a chart draws, and what that has in all. */
export interface Subject {
  cores: number
  /** Bytes. */
  memoryTotal: number
  diskTotal: number
  /** ms */
  createdAt: number
}

const mebibyte = 1024 ** 2

/** Total hardware of `instances`; undefined without any. */
export function addUpInstances(instances: readonly Instance[]): Subject | undefined {
  if (instances.length === 0) return undefined
  const sum = (of: (instance: Instance) => number) => instances.reduce((total, one) => total + of(one), 0)
  return {
    cores: sum(({ cpuCoreCount }) => cpuCoreCount),
    // As the agent measures it; before it did, as it was ordered.
    memoryTotal: sum(({ latest, memorySize }) => latest?.memoryTotal || memorySize * mebibyte),
    diskTotal: sum(({ latest, diskSize }) => latest?.diskTotal || diskSize * mebibyte),
    createdAt: Math.min(...instances.map(({ createAt }) => Date.parse(createAt))),
  }
}

/** The master as the list of clusters has it, until the instances are known. */
export function masterOf({ cpuCoreCount, memorySize, latest, createAt }: Resource): Subject {
  return {
    cores: cpuCoreCount,
    memoryTotal: latest?.memoryTotal || memorySize * mebibyte,
    diskTotal: latest?.diskTotal ?? 0,
    createdAt: Date.parse(createAt),
  }
}
