import { type UsageLine, usageExportPath, usageLine } from '@atoll/contract/billing'
import { formatFigure } from '@atoll/ui/i18n'
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useZone } from '../billing/shared/use-customer.ts'
import { useCall } from '../data/use-call.ts'
import { formatDateAndTime, formatTimeOfDay } from '../kit/format/billing-dates.ts'
import { formatMoney } from '../kit/format/money.ts'
import { LoadFailure } from '../kit/page/LoadFailure.tsx'
import { DataTable } from '../kit/table/DataTable.tsx'
import { ExportButton } from '../kit/table/ExportButton.tsx'
import { NoValue } from '../kit/table/NoValue.tsx'
import { useLocale, useText } from '../locales/text.ts'
import { DayChart } from './DayChart.tsx'
import { daysAt } from './day-figures.ts'
import classes from './LineDays.module.css'

const hourMs = 3_600_000

/** When and by which cluster the usage came about that a line of an invoice charges (board 45). */
export function LineDays({ invoiceId, line }: { invoiceId: string; line: number }) {
  const t = useText()
  const query = useCall(usageLine, { invoiceId, line })
  const { data, error } = query
  if (error && !data) {
    return <LoadFailure title={t('usagePage.lineError')} error={error} onRetry={() => query.refetch()} />
  }
  return data ? <ShownLine line={data} /> : <Skeleton height={360} mt={12} />
}

function ShownLine({ line }: { line: UsageLine }) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const { usedUpAt, used, overage, amount, currency, unitLabel: unit, clusters, listedEnd, productType } = line
  if (clusters.length === 0) return <p className={classes.words}>{t('usagePage.lineUnknown')}</p>
  const days = daysAt(line, zone, Date.parse(line.end))
  const figure = (value: number) => `${formatFigure(value, 3, locale)} ${unit}`
  const isCharted = usedUpAt !== null || productType === 'cloud_storage' || productType === 'cloud_backup'
  return (
    <div className={classes.line}>
      {usedUpAt && (
        <p className={classes.words}>
          {t('usagePage.usedUp', {
            quota: figure(used - overage),
            from: formatDateAndTime(usedUpAt, zone, locale),
            // It is known to the hour, as the meters are read.
            until: formatTimeOfDay(Date.parse(usedUpAt) + hourMs, zone, locale),
            zone,
          })}
        </p>
      )}
      {isCharted && (
        <DayChart
          period={{ isRunning: false, asOf: line.end, periodSeconds: line.periodSeconds }}
          product={line}
          days={days}
        />
      )}
      <DataTable
        label={t('usagePage.byCluster')}
        rows={clusters}
        rowKey={({ clusterId }) => clusterId}
        columns={[
          {
            header: t('usagePage.columnCluster'),
            cell: ({ name }) => name,
            phone: 'first',
            total: t('usagePage.together'),
          },
          {
            header: t('usagePage.columnUsed'),
            cell: (row) => figure(row.used),
            width: '20%',
            align: 'right',
            phone: 'first-end',
            total: figure(used),
          },
          {
            header: t('usagePage.columnBefore'),
            cell: (row) => figure(row.used - row.overage),
            width: '20%',
            align: 'right',
            isQuiet: true,
            phone: 'none',
            total: figure(used - overage),
          },
          {
            header: t('usagePage.columnAbove'),
            cell: (row) => figure(row.overage),
            width: '20%',
            align: 'right',
            phone: 'none',
            total: figure(overage),
          },
          {
            header: t('usagePage.columnAmount'),
            cell: (row) =>
              row.amount === 0 ? (
                <NoValue label={formatMoney(0, currency, locale)} />
              ) : (
                formatMoney(row.amount, currency, locale)
              ),
            width: '18%',
            align: 'right',
            phone: 'second-end',
            total: formatMoney(amount, currency, locale),
          },
        ]}
      />
      <div className={classes.foot}>
        {listedEnd && (
          <>
            <Link to="/usage" search={{ end: listedEnd, product: productType }}>
              {t('usagePage.allReadings')}
            </Link>
            <ExportButton path={usageExportPath} body={() => ({ end: listedEnd })} name="usage" disabled={false} />
          </>
        )}
        <span className={classes.expected}>{t('usagePage.unexpected')}</span>
        <Link to="/billing">{t('usagePage.setCap')}</Link>
      </div>
    </div>
  )
}
