/**
 * `/v1/resource/cluster/monitor`: what a cluster did, on a fixed grid of times (spec §3, §9; design/usage, "Monitor").
 */
import { z } from 'zod'
import { defineCall } from '../../wire/call.ts'
import {
  defaultMonitorRange,
  type MonitorRange,
  monitorRangeHours,
  monitorRanges,
  monitorStepMs,
} from '../../wire/constants.ts'
import { ClusterId, InstanceId, IsoTime } from '../../wire/fields.ts'

const UsageValue = z.object({ value: z.number(), unitLabel: z.string(), quota: z.number().optional() })
export const ClusterUsage = z.object({ storage: UsageValue, backup: UsageValue, traffic: UsageValue })
export type ClusterUsage = z.infer<typeof ClusterUsage>

/** `[ms, value]`, oldest first. Each time is where a step of the grid begins; a step without a sample has no point. */
export const Series = z.array(z.tuple([z.int(), z.number()])).max(300)
export type Series = z.infer<typeof Series>

/**
 * `cpu` is 0..1 of the cores, `memory` and `disk` are bytes, `netIn` and `netOut` bytes a second; all means of a step.
 */
export const MetricsContent = z.object({ cpu: Series, memory: Series, disk: Series, netIn: Series, netOut: Series })
export type MetricsContent = z.infer<typeof MetricsContent>

export const ClusterMonitor = z.object({
  usage: ClusterUsage,
  metrics: z.object({
    /** Of the instance asked for, else of the master. */
    content: MetricsContent,
    /**
     * The workers together: `cpu` is the mean over their cores, the rest adds up. A worker counts from its first sample
     * to its last; a step between, which one of them has no sample of, has no point. Null where an instance is asked
     * for, and without workers.
     */
    workers: MetricsContent.nullable(),
    /** Width of a step, ms. */
    stepMs: z.int(),
    /** ISO time of the newest sample; null without one. */
    lastUpdatedAt: IsoTime.nullable(),
  }),
})
export type ClusterMonitor = z.infer<typeof ClusterMonitor>

export const clusterMonitor = defineCall({
  name: 'clusterMonitor',
  path: '/v1/resource/cluster/monitor',
  reach: 'object',
  reads: true,
  // Points come once a minute; a page that shows them asks as often.
  topics: [],
  summary: 'Measurements of one cluster, or of one instance of it: at most 300 points a series, on a fixed grid.',
  body: z.strictObject({
    clusterId: ClusterId,
    range: z.enum(monitorRanges).default(defaultMonitorRange),
    instanceId: InstanceId.optional(),
  }),
  data: ClusterMonitor,
})

/** The steps that a range has at a time: where the first and the newest begin, how wide each is, ms, and how many. */
export interface MonitorGrid {
  from: number
  last: number
  stepMs: number
  points: number
}

/** The grid of `range` at `now`, ms: steps since 1970, the newest being the one that goes on. */
export function monitorGrid(range: MonitorRange, now: number): MonitorGrid {
  const stepMs = monitorStepMs[range]
  const points = (monitorRangeHours[range] * 3_600_000) / stepMs
  const last = Math.floor(now / stepMs) * stepMs
  return { from: last - (points - 1) * stepMs, last, stepMs, points }
}
