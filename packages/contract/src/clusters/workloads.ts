/** Services on an instance, as its agent reports them (spec §4). */
import { z } from 'zod'
import { IsoTime } from '../wire/fields.ts'

/** In the order in which they need somebody. */
export const workloadStates = ['Failed', 'Progressing', 'Scheduling', 'Completed'] as const
/**
 * `Scheduling` desired, not begun; `Progressing` begun or changing; `Completed` ready as desired; `Failed` gave up,
 * with a sentence in `reason`.
 */
export const WorkloadState = z.enum(workloadStates)
export type WorkloadState = z.infer<typeof WorkloadState>

/** Most that one instance reports. */
export const mostWorkloads = 50
/** The agent's own services: pages name them in the reader's language. */
export const ownWorkloads = ['server', 'files', 'network'] as const

/** How many of a workload are ready, or desired. */
const Copies = z.int().min(0).max(10_000)

export const Workload = z.object({
  /** Unique on its instance. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/),
  /** As its operator calls it; absent: by its name. */
  title: z.string().trim().min(1).max(80).optional(),
  state: WorkloadState,
  ready: Copies,
  wanted: Copies,
  /** Why it is so, in a sentence. */
  reason: z.string().max(300).nullable(),
  /** Since when it is in this state, by the agent's clock. */
  since: IsoTime,
})
export type Workload = z.infer<typeof Workload>

export const Workloads = z.array(Workload).max(mostWorkloads)

/** Those that need somebody first; equals in the order of the report. */
export function byNeed<One extends Pick<Workload, 'state'>>(workloads: readonly One[]): One[] {
  return workloads.toSorted((a, b) => workloadStates.indexOf(a.state) - workloadStates.indexOf(b.state))
}
