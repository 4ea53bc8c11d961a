/**
 * Samples as agents send them, and what charts of them must show: computed from each single sample, apart from
 * the code.
 */
import type { AgentMetrics } from '@atoll/contract/agents'
import fc from 'fast-check'
import type { Metric, Series } from '../samples/sample-store.ts'

export interface RawSample {
  at: number
  cpu: number
  memory: number
  disk: number
  netIn: number
  netOut: number
}

export function metricsOf({ at, cpu, memory, disk, netIn, netOut }: RawSample): AgentMetrics {
  return {
    at,
    cpu,
    memoryUsed: memory,
    memoryTotal: 2 ** 34,
    diskUsed: disk,
    diskTotal: 2 ** 40,
    netIn,
    netOut,
  }
}

/** Half a day of an instance at most: samples 1 to 9 s apart, pauses up to three hours, agents that restart. */
export function arbitraryHistory(begin: number, longest = 400): fc.Arbitrary<RawSample[]> {
  const step = fc.record({
    pauseMs: fc.oneof(
      { weight: 40, arbitrary: fc.integer({ min: 1000, max: 9000 }) },
      { weight: 2, arbitrary: fc.integer({ min: 60_000, max: 3 * 3600_000 }) },
    ),
    isReboot: fc.integer({ min: 0, max: 39 }).map((n) => n === 0),
    cpu: fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000),
    memory: fc.integer({ min: 0, max: 2 ** 34 }),
    disk: fc.integer({ min: 0, max: 2 ** 40 }),
    moved: fc.integer({ min: 0, max: 1_000_000 }),
  })
  return fc.array(step, { minLength: 1, maxLength: longest }).map((steps) => {
    let at = begin
    let [netIn, netOut] = [0, 0]
    const raw = steps.map(({ pauseMs, isReboot, cpu, memory, disk, moved }): RawSample => {
      at += pauseMs
      netIn = (isReboot ? 0 : netIn) + moved
      netOut = (isReboot ? 0 : netOut) + moved * 3
      return { at, cpu, memory, disk, netIn, netOut }
    })
    return raw.filter((sample) => sample.at < begin + 12 * 3600_000)
  })
}

/** The mean of the raw samples of each step. */
export function meansOf(raw: readonly RawSample[], metric: 'cpu' | 'memory' | 'disk', stepMs: number): Series {
  const steps = new Map<number, number[]>()
  for (const sample of raw) {
    const step = sample.at - (sample.at % stepMs)
    steps.set(step, [...(steps.get(step) ?? []), sample[metric]])
  }
  return [...steps].map(([step, values]) => [step, values.reduce((sum, value) => sum + value, 0) / values.length])
}

/** That `series` is `expected`, but for rounding: cpu to what a real column holds, bytes to whole ones twice. */
export function isClose(metric: Metric, series: Series, expected: Series): boolean {
  const most = metric === 'cpu' ? 2e-6 : 2
  return (
    series.length === expected.length &&
    series.every(([t, value], at) => t === expected[at]?.[0] && Math.abs(value - (expected[at]?.[1] ?? NaN)) <= most)
  )
}
