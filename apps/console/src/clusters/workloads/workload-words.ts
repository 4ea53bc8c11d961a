import { ownWorkloads, type ResourceDetail, type Workload, type WorkloadState } from '@atoll/contract/clusters'
import type { Translate } from '../../locales/text.ts'

/** A workload on the page of its cluster. */
export interface ShownWorkload {
  workload: Workload
  instance: ResourceDetail['data'][number]
  /** A last known value. */
  stale: boolean
}

/** The agent's own in the reader's language, others as their operator calls them. */
export function workloadName({ name, title }: Workload, t: Translate): string {
  const own = ownWorkloads.find((known) => known === name)
  return own ? t(`workloads.${own}`) : (title ?? name)
}

export const workloadLooks = {
  Completed: { colour: 'green', shape: 'disc' },
  Failed: { colour: 'coral', shape: 'disc' },
  Progressing: { colour: 'amber', shape: 'ring' },
  Scheduling: { colour: 'grey', shape: 'hollow' },
} as const satisfies Record<WorkloadState, object>
