import { memo, useId } from 'react'
import { useLocale } from '../../../locales/text.ts'
import classes from './Chart.module.css'
import type { ChartLines } from './chart.ts'
import { areaPath, linePath } from './chart-path.ts'
import { type ChartPlace, plot, plotFoot } from './chart-place.ts'
import { timeTicks } from './time-axis.ts'

/** px that a word below the chart takes with its distance. */
const wordWidth = 76

interface ChartBaseProps {
  lines: ChartLines
  place: ChartPlace
}

/**
 * Axes, gaps, limits and lines. Drawn again only with new readings: neither a live figure nor the crosshair moves it.
 */
export const ChartBase = memo(function ChartBase({ lines, place }: ChartBaseProps) {
  const locale = useLocale()
  const hatch = useId()
  const { grid, axis, series, gaps, limits } = lines
  const [first, second] = series
  const ticks = timeTicks(grid, Math.floor((place.right - plot.left) / wordWidth), locale)
  return (
    <>
      <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0V6" className={classes.hatchLine} />
      </pattern>
      {axis.ticks.map(({ value, label }) => (
        <g key={value}>
          <path d={`M${plot.left} ${place.y(value)}H${place.right}`} className={classes.gridLine} />
          <text x={plot.left - 10} y={place.y(value) + 4} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
      {ticks.map(({ time, label }) => {
        const x = place.xOfTime(time)
        const anchor = x < plot.left + 20 ? 'start' : x > place.right - 20 ? 'end' : 'middle'
        return (
          <text key={time} x={x} y={plot.height - 4} textAnchor={anchor}>
            {label}
          </text>
        )
      })}
      {gaps.map(({ from, to }) => {
        const [left, right] = [place.xOfTime(from), place.xOfTime(to)]
        return (
          <g key={from} data-gap>
            <rect x={left} y={plot.top} width={right - left} height={plotFoot - plot.top} fill={`url(#${hatch})`} />
            <path d={`M${left} ${plot.top}V${plotFoot}M${right} ${plot.top}V${plotFoot}`} className={classes.gapEdge} />
          </g>
        )
      })}
      {limits.map(({ value, label }) => (
        <g key={label}>
          <path d={`M${plot.left} ${place.y(value)}H${place.right}`} className={classes.limit} />
          <text x={place.right} y={place.y(value) - 4} textAnchor="end" className={classes.limitWord}>
            {label}
          </text>
        </g>
      ))}
      {first && <path d={areaPath(first.values, place)} className={classes.area} />}
      {second && <path d={linePath(second.values, place)} className={classes.second} />}
      {first && <path d={linePath(first.values, place)} className={classes.first} />}
    </>
  )
})
