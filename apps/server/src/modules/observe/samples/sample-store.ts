/**
 * Where samples are kept: they say how an instance is, may be lost and thinned, and nothing is charged by them. The one
 * driver is PostgreSQL (`postgres/`); nothing else knows the tables. A driver passes `testing/sample-conformance.ts`.
 */

/** `[ms, value]` by rising time; each time is where a step begins. A step without a sample has no point. */
export type Series = [number, number][]

/** `cpu` is 0..1 of the cores, `memory` and `disk` are bytes, `netIn` and `netOut` bytes a second. */
export const metrics = ['cpu', 'memory', 'disk', 'netIn', 'netOut'] as const
export type Metric = (typeof metrics)[number]

/** The newest sample. `cpu` is 0..1 of the cores, the rest bytes. */
export interface LatestSample {
  /** When it arrived. */
  at: Date
  cpu: number
  memoryUsed: number
  memoryTotal: number
  diskUsed: number
  diskTotal: number
}

/** The samples of an instance that one process received within a minute, or within part of one. */
export interface SamplePart {
  instanceId: string
  /** When its last sample arrived, which with the instance names it: a part that comes twice counts once. */
  at: Date
  /** How many samples it is the mean of. */
  samples: number
  /** Means and maxima; memory and disk in whole bytes. */
  cpu: number
  cpuMax: number
  memory: number
  memoryMax: number
  disk: number
  /** The agent's counters at the last sample, bytes since the agent started. No counter falls within a part. */
  netIn: number
  netOut: number
}

export interface SampleBatch {
  /** By instance. */
  latest: ReadonlyMap<string, LatestSample>
  parts: readonly SamplePart[]
}

/** Times in ms; `from` and `to` are where steps since 1970 begin. */
export interface SampleGrid {
  from: number
  to: number
  stepMs: number
}

export interface SampleCounters {
  at: Date
  netIn: number
  netOut: number
}

export interface SampleStore {
  /**
   * Adds what was received, in any order, late or repeated. The latest of an instance begins its series; parts of an
   * instance without one are left out, since it was forgotten, and so are parts that came too late for the tiers.
   */
  write(batch: SampleBatch): Promise<void>
  /** The newest sample of each of `ids`; one without any is left out. */
  latest(ids: readonly string[]): Promise<Map<string, LatestSample>>
  /**
   * The mean of the samples of each step, for each of `ids`. `netIn` and `netOut` are the rise of the counters divided
   * by the time it took; a counter that fell restarted from zero, and over a gap nothing is counted.
   */
  series<M extends Metric>(
    ids: readonly string[],
    metrics: readonly M[],
    grid: SampleGrid,
  ): Promise<Map<string, Record<M, Series>>>
  /** The counters of each instance after its time in `since` and before `until`, by time. */
  counters(since: ReadonlyMap<string, Date>, until: Date): Promise<Map<string, SampleCounters[]>>
  /** Removes the parts of `ids` after `time`, and nothing of others. */
  removeAfter(ids: readonly string[], time: Date): Promise<void>
  /** Nothing of `ids` is found any more. Unknown ids are success. */
  forget(ids: readonly string[]): Promise<void>
  /** A problem, as a sentence for the operator; undefined while there is none. */
  health(): Promise<string | undefined>
}

/** Parts further apart than this have a gap between them: no traffic is counted for it. s */
export const longestGapSeconds = 130
/** No instance moves more than 100 Gbit/s: a counter that jumps by more is not believed. bytes a second */
export const mostBytesPerSecond = 12.5e9
