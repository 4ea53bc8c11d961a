/** Readings laid on the steps of a grid, and what is not there. Times in ms since the epoch. */
import type { MonitorGrid, Series } from '@atoll/contract/clusters'

/** The value of each step, oldest first; undefined where there is no reading. */
export type Values = readonly (number | undefined)[]

/** A time without readings: from the first step that has none to the next one that has. */
export interface Gap {
  from: number
  to: number
}

/** When the step at `index` begins. */
export function timeOf(grid: MonitorGrid, index: number): number {
  return grid.from + index * grid.stepMs
}

/**
 * The grid moved on so far that it holds the newest of `series`: this device's idea of the server's clock may be a
 * little behind.
 */
export function coverNewest(grid: MonitorGrid, series: readonly Series[]): MonitorGrid {
  const newest = Math.max(grid.last, ...series.map((points) => points.at(-1)?.[0] ?? 0))
  const moved = Math.ceil((newest - grid.last) / grid.stepMs) * grid.stepMs
  return { ...grid, from: grid.from + moved, last: grid.last + moved }
}

/** Points by step. One beside the grid is left out; no value is made up where there is none. */
export function toSteps(series: Series, grid: MonitorGrid): Values {
  const values = new Array<number | undefined>(grid.points).fill(undefined)
  for (const [time, value] of series) {
    const index = Math.floor((time - grid.from) / grid.stepMs)
    if (index >= 0 && index < grid.points) values[index] = value
  }
  return values
}

export interface Awaited {
  /** Before this there was nothing to measure: the instance had not been made. */
  since: number
  /** Steps that end after this may still get their first reading. */
  settled: number
}

/** Where none of `all` has a reading, though one was to be expected. */
export function findGaps(all: readonly Values[], grid: MonitorGrid, { since, settled }: Awaited): Gap[] {
  const gaps: Gap[] = []
  for (let index = 0; index < grid.points; index++) {
    const [from, to] = [timeOf(grid, index), timeOf(grid, index + 1)]
    if (from < since || all.some((values) => values[index] !== undefined)) continue
    const before = gaps.at(-1)
    if (before?.to === from) before.to = to
    else gaps.push({ from, to })
  }
  // The newest steps are not silent before they had time to speak.
  const last = gaps.at(-1)
  if (!last || last.to <= grid.last || last.from + grid.stepMs <= settled) return gaps
  return gaps.slice(0, -1)
}

/** How many steps have a reading. */
export function countReadings(values: Values): number {
  return values.filter((value) => value !== undefined).length
}

/** The highest value and when its step begins; undefined without any. */
export function findPeak(values: Values, grid: MonitorGrid): { value: number; time: number } | undefined {
  let peak: { value: number; time: number } | undefined
  values.forEach((value, index) => {
    if (value !== undefined && (!peak || value > peak.value)) peak = { value, time: timeOf(grid, index) }
  })
  return peak
}
