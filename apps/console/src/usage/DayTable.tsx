import { formatFigure } from '@atoll/ui/i18n'
import { useLocale, useText } from '../locales/text.ts'
import classes from './DayChart.module.css'
import { type ChartedDays, type Day, figuresOf } from './day-figures.ts'
import { dayText } from './period-words.ts'

interface DayTableProps {
  product: ChartedDays
  days: readonly Day[]
  /** The unit and meaning of the figures, for the table's label. */
  unit: string
  periodSeconds: number
}

/** Every day that has begun as a row, the newest first, with every cluster. */
export function DayTable({ product, days, unit, periodSeconds }: DayTableProps) {
  const t = useText()
  const locale = useLocale()
  const clusters = product.clusters.map((cluster) => ({
    ...cluster,
    figures: figuresOf(product, cluster, days, periodSeconds),
  }))
  const figure = (value: number) => formatFigure(value, 3, locale)
  const rows = days.flatMap(({ day, pastMs }, at) => (pastMs > 0 ? [{ day, at }] : [])).toReversed()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className={classes.table} aria-label={unit} tabIndex={0}>
      <table aria-label={unit}>
        <thead>
          <tr>
            <th scope="col">{t('usagePage.columnDay')}</th>
            {clusters.map(({ clusterId, name }) => (
              <th key={clusterId} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">{t('usagePage.together')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ day, at }) => (
            <tr key={day}>
              <th scope="row">{dayText(day, locale)}</th>
              {clusters.map(({ clusterId, figures }) => (
                <td key={clusterId}>{figure(figures[at] ?? 0)}</td>
              ))}
              <td>{figure(clusters.reduce((sum, { figures }) => sum + (figures[at] ?? 0), 0))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
