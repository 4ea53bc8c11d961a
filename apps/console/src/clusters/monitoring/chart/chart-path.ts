import { area, line } from 'd3-shape'
import type { Values } from './steps.ts'

export interface Placed {
  /** px of the step at an index. */
  x: (index: number) => number
  /** px of a value. */
  y: (value: number) => number
}

type Step = [value: number | undefined, index: number]
const known = ([value]: Step) => value !== undefined
const steps = (values: Values): Step[] => values.map((value, index) => [value, index])

/** The line through `values`, broken where there is none: a gap is never joined. Empty without any. */
export function linePath(values: Values, { x, y }: Placed): string {
  const draw = line<Step>()
    .defined(known)
    .x(([, index]) => x(index))
    .y(([value = 0]) => y(value))
    .digits(1)
  return draw(steps(values)) ?? ''
}

/** The area between that line and the bottom, broken in the same places. */
export function areaPath(values: Values, { x, y }: Placed): string {
  const draw = area<Step>()
    .defined(known)
    .x(([, index]) => x(index))
    .y0(y(0))
    .y1(([value = 0]) => y(value))
    .digits(1)
  return draw(steps(values)) ?? ''
}
