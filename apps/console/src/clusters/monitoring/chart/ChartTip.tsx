import { useLocale, useText } from '../../../locales/text.ts'
import classes from './Chart.module.css'
import type { ChartLines } from './chart.ts'
import { timeOf } from './steps.ts'
import { formatMoment } from './time-axis.ts'

interface ChartTipProps {
  lines: ChartLines
  at: number
  /** px of the crosshair, and of the whole chart. */
  x: number
  width: number
}

/** Measurements at the crosshair. A screen reader gets them from the chart itself. */
export function ChartTip({ lines: { grid, series, format }, at, x, width }: ChartTipProps) {
  const t = useText()
  const locale = useLocale()
  const place = x < width / 2 ? { left: x + 14 } : { right: width - x + 14 }
  return (
    <div className={classes.tip} style={place} aria-hidden="true">
      <div className={classes.tipTime}>{formatMoment(timeOf(grid, at), grid, locale)}</div>
      {series.map(({ label, values }, order) => {
        const value = values[at]
        return (
          <div key={label} className={classes.tipRow}>
            <span className={classes.key} data-order={order} />
            <span>{label}</span>
            <b>{value === undefined ? t('monitoring.noReading') : format(value)}</b>
          </div>
        )
      })}
    </div>
  )
}
