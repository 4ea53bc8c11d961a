import type { UsageDays } from '@atoll/contract/billing'
import { countUnreadable } from '@atoll/contract/wire'
import { formatFigure, formatPercent } from '@atoll/ui/i18n'
import { useId } from 'react'
import { meteredName } from '../billing/overview/plan/plan-words.ts'
import { useZone } from '../billing/shared/use-customer.ts'
import { formatMoney } from '../kit/format/money.ts'
import { DataTable } from '../kit/table/DataTable.tsx'
import { NoValue } from '../kit/table/NoValue.tsx'
import { textOf, useLocale, useText } from '../locales/text.ts'
import { busiestOf, type Day, figuresOf, meanOf, type ProductDays } from './day-figures.ts'
import { Projection } from './Projection.tsx'
import { dayText, periodText } from './period-words.ts'
import classes from './UsagePage.module.css'

interface ClusterSharesProps {
  period: UsageDays
  product: ProductDays
  days: readonly Day[]
  /** ms of the account's clock. */
  now: number
}

/** The usage of each cluster in the period, and its share of the cost. */
export function ClusterShares({ period, product, days, now }: ClusterSharesProps) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const title = useId()
  const { clusters, used, amount, currency, unitLabel: unit } = product
  const figure = (value: number) => `${formatFigure(value, value < 10 ? 2 : 1, locale)} ${unit}`
  const rows = countUnreadable(
    clusters.map((cluster) => {
      const figures = figuresOf(product, cluster, days, period.periodSeconds)
      return { ...cluster, figures, mean: meanOf(product, cluster.used, days, period.periodSeconds) }
    }),
    clusters,
  )
  const sums = days.map((_, at) => rows.reduce((sum, { figures }) => sum + (figures[at] ?? 0), 0))
  const mean = meanOf(product, used, days, period.periodSeconds)
  const busiest = (figures: readonly number[]) => {
    const found = busiestOf(figures)
    const day = found && days[found.at]?.day
    return found && day ? t('usagePage.onDay', { used: figure(found.figure), day: dayText(day, locale) }) : undefined
  }
  const until = period.isRunning ? days.findLast(({ pastMs }) => pastMs > 0)?.day : undefined
  const span = until
    ? `${dayText(period.days[0] ?? until, locale)} – ${dayText(until, locale)}`
    : periodText(period, zone, locale)
  return (
    <section className={classes.card} aria-labelledby={title}>
      <div className={classes.header}>
        <h2 id={title}>{t('usagePage.byCluster')}</h2>
        <span className="small quiet num">
          {t('usagePage.ofProduct', { period: span, product: t(textOf(meteredName, product.productType)) })}
        </span>
      </div>
      <DataTable
        label={t('usagePage.byCluster')}
        rows={rows}
        rowKey={({ clusterId }) => clusterId}
        columns={[
          {
            header: t('usagePage.columnCluster'),
            cell: ({ name, mean: own, figures }) => (
              <>
                <span className={classes.name}>{name}</span>
                <span className={classes.phone}>
                  {t('usagePage.onPhone', { mean: figure(own), busiest: busiest(figures) ?? '' })}
                </span>
              </>
            ),
            phone: 'first',
            total: t('usagePage.together'),
          },
          {
            header: t('usagePage.columnUsed'),
            cell: (row) => figure(row.used),
            width: '15%',
            align: 'right',
            phone: 'first-end',
            total: figure(used),
          },
          {
            header: t('usagePage.columnShare'),
            cell: (row) => formatPercent(used > 0 ? row.used / used : 0, locale),
            width: '10%',
            align: 'right',
            isQuiet: true,
            phone: 'none',
            total: used > 0 ? formatPercent(1, locale) : undefined,
          },
          {
            header: t('usagePage.columnMean'),
            cell: (row) => figure(row.mean),
            width: '18%',
            align: 'right',
            isQuiet: true,
            phone: 'none',
            total: figure(mean),
          },
          {
            header: t('usagePage.columnBusiest'),
            cell: ({ figures }) => busiest(figures) ?? <NoValue />,
            width: '20%',
            align: 'right',
            isQuiet: true,
            phone: 'none',
            total: busiest(sums),
          },
          {
            header: t(period.isRunning ? 'usagePage.columnSoFar' : 'usagePage.columnCharged'),
            cell: (row) =>
              row.amount === 0 ? (
                <NoValue label={formatMoney(0, currency, locale)} />
              ) : (
                formatMoney(row.amount, currency, locale)
              ),
            width: '15%',
            align: 'right',
            phone: 'second-end',
            total: formatMoney(amount, currency, locale),
          },
        ]}
      />
      <div className={classes.foot}>
        <Projection period={period} product={product} now={now} />
      </div>
    </section>
  )
}
