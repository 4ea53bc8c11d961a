import type { Locale } from '@atoll/contract/wire'
import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, useId, useMemo } from 'react'
import { type Translate, useLocale, useText } from '../../../locales/text.ts'
import classes from './Chart.module.css'
import { ChartBase } from './ChartBase.tsx'
import { ChartTip } from './ChartTip.tsx'
import type { ChartLines } from './chart.ts'
import { placeChart, plot, plotFoot } from './chart-place.ts'
import { stepAfterKey } from './step-keys.ts'
import { timeOf } from './steps.ts'
import { formatMoment } from './time-axis.ts'

export interface ChartProps {
  lines: ChartLines
  /** As last measured: grey. */
  stale: boolean
  /** The present value of the first series, ahead of its next point. */
  live: number | undefined
  /** The step that all charts of the page point at. */
  at: number | undefined
  /** This chart is the one that is used: its values stand beside the crosshair. */
  isPointed: boolean
  onPoint: (index: number | undefined) => void
}

/**
 * A chart that pointer and keys go through step by step. To a screen reader it is a slider over time, which reads
 * out each step, politely, as the value at the crosshair.
 */
export function Chart({ lines, stale, live, at, isPointed, onPoint }: ChartProps) {
  const t = useText()
  const locale = useLocale()
  const help = useId()
  const { ref, width } = useElementSize()
  const { grid, series, axis } = lines
  const place = useMemo(() => placeChart(grid, axis.top, width), [grid, axis.top, width])
  // Before it has its place on the page there is none to draw on.
  const isMeasured = place.right > plot.left
  const last = grid.points - 1
  const point = (event: PointerEvent) =>
    onPoint(place.indexAt(event.clientX - event.currentTarget.getBoundingClientRect().left))
  function move(event: KeyboardEvent) {
    const next = stepAfterKey(event, at ?? last, last)
    if (next === undefined) return
    event.preventDefault()
    onPoint(next === 'leave' ? undefined : next)
  }
  return (
    <div
      ref={ref}
      className={classes.chart}
      data-stale={stale || undefined}
      role="slider"
      tabIndex={0}
      aria-label={lines.title}
      aria-describedby={help}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at ?? last}
      aria-valuetext={describeStep(lines, at ?? last, locale, t)}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onPoint(undefined)}
      onKeyDown={move}
      onFocus={() => at === undefined && onPoint(last)}
      onBlur={() => onPoint(undefined)}
    >
      <span id={help} className="visually-hidden">
        {t('monitoring.keys')}
      </span>
      <svg className={classes.plot} viewBox={`0 0 ${width || 1} ${plot.height}`} fill="none" aria-hidden="true">
        {isMeasured && <ChartBase lines={lines} place={place} />}
        {isMeasured && live !== undefined && (
          <circle cx={place.x(last)} cy={place.y(live)} r="3" className={classes.live} />
        )}
        {isMeasured && at !== undefined && (
          <>
            <path d={`M${place.x(at)} ${plot.top}V${plotFoot}`} className={classes.crosshair} />
            {series.map(({ label, values }, order) => {
              const value = values[at]
              return (
                value !== undefined && (
                  <circle
                    key={label}
                    cx={place.x(at)}
                    cy={place.y(value)}
                    r="3.5"
                    className={classes.marker}
                    data-order={order}
                  />
                )
              )
            })}
          </>
        )}
      </svg>
      {isPointed && at !== undefined && isMeasured && <ChartTip lines={lines} at={at} x={place.x(at)} width={width} />}
    </div>
  )
}

/** One step in words: `18 Mar, 05:07: Master 37%, Workers no reading`. */
function describeStep({ grid, series, format }: ChartLines, at: number, locale: Locale, t: Translate): string {
  const values = series.map(({ label, values }) => {
    const value = values[at]
    return t('monitoring.stepValue', { label, value: value === undefined ? t('monitoring.noReading') : format(value) })
  })
  return t('monitoring.step', {
    time: formatMoment(timeOf(grid, at), grid, locale),
    values: values.join(t('monitoring.stepComma')),
  })
}
