import type { MonitorGrid } from '@atoll/contract/clusters'
import { scaleLinear } from 'd3-scale'
import type { Placed } from './chart-path.ts'

/** px; the words of the axes stand outside of these. */
export const plot = { height: 168, left: 52, right: 6, top: 10, bottom: 24 }
export const plotFoot = plot.height - plot.bottom

export interface ChartPlace extends Placed {
  /** px of a moment. */
  xOfTime: (time: number) => number
  /** The step nearest to `px`. */
  indexAt: (px: number) => number
  right: number
}

/** Where times and values stand on a chart that is `width` px wide. A step's point is in its middle. */
export function placeChart(grid: MonitorGrid, top: number, width: number): ChartPlace {
  const right = width - plot.right
  const times = scaleLinear([grid.from, grid.last + grid.stepMs], [plot.left, right])
  const values = scaleLinear([0, top], [plotFoot, plot.top]).clamp(true)
  return {
    x: (index) => times(grid.from + (index + 0.5) * grid.stepMs),
    xOfTime: times,
    y: values,
    indexAt: (px) => Math.min(grid.points - 1, Math.max(0, Math.floor((times.invert(px) - grid.from) / grid.stepMs))),
    right,
  }
}
