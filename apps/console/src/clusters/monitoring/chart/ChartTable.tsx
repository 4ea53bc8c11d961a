import { useLocale, useText } from '../../../locales/text.ts'
import classes from './Chart.module.css'
import type { ChartLines } from './chart.ts'
import { timeOf } from './steps.ts'
import { formatMoment } from './time-axis.ts'

/** Every step of a chart as a row, the newest first. */
export function ChartTable({ lines: { title, grid, series, format } }: { lines: ChartLines }) {
  const t = useText()
  const locale = useLocale()
  const rows = Array.from({ length: grid.points }, (_, at) => grid.points - 1 - at)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className={classes.table} aria-label={t('monitoring.tableOf', { chart: title })} tabIndex={0}>
      <table aria-label={t('monitoring.tableOf', { chart: title })}>
        <thead>
          <tr>
            <th scope="col">{t('monitoring.columnTime')}</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((at) => (
            <tr key={at}>
              <th scope="row">{formatMoment(timeOf(grid, at), grid, locale)}</th>
              {series.map(({ label, values }) => {
                const value = values[at]
                return (
                  <td key={label} data-missing={value === undefined || undefined}>
                    {value === undefined ? t('monitoring.noReading') : format(value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
