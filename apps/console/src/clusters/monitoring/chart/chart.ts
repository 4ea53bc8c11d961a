import type { MonitorGrid } from '@atoll/contract/clusters'
import type { ValueAxis } from '../../../kit/figures/value-axis.ts'
import type { Gap, Values } from './steps.ts'

export type ChartKey = 'cpu' | 'memory' | 'disk' | 'network'

/** The drawing of one chart; computed again only with new readings. */
export interface ChartLines {
  key: ChartKey
  title: string
  grid: MonitorGrid
  /** The first is drawn in the accent, a second in grey; never more. */
  series: readonly { label: string; values: Values }[]
  axis: ValueAxis
  gaps: readonly Gap[]
  limits: readonly { value: number; label: string }[]
  /** A value as people read it: `37%`, `6.1 GB`. */
  format: (value: number) => string
  /** A value as a file has it, and the unit in its header. */
  csv: { unit: string; figure: (value: number) => number }
}

/** The words above a chart, which move with every live figure. */
export interface ChartFigure {
  /** Undefined: nothing was measured. */
  now: string | undefined
  of: string
  more: string
}
