import type { MoneyMonth } from '@atoll/contract/staff'
import { Panel } from '../../billing/shared/Panel.tsx'
import { formatMoney } from '../../kit/format/money.ts'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import customers from '../customers/Customers.module.css'
import classes from './Money.module.css'
import { monthName } from './month-name.ts'

interface MonthsPanelProps {
  months: readonly MoneyMonth[]
  currency: 'usd' | 'cny'
}

/** Twelve months: revenue as bars, and what it is made of as a table, the newest first. */
export function MonthsPanel({ months, currency }: MonthsPanelProps) {
  const t = useText()
  const locale = useLocale()
  const most = Math.max(1, ...months.map(({ revenue }) => revenue))
  const all = months.reduce((sum, { revenue }) => sum + revenue, 0)
  const amount = (minor: number) => <span className="num">{formatMoney(minor, currency, locale)}</span>
  const columns = [
    ['operator.revenue', 'revenue'],
    ['operator.ofInstances', 'instance'],
    ['operator.ofPlans', 'plan'],
    ['operator.ofUsage', 'usage'],
    ['operator.collected', 'collected'],
    ['operator.refunded', 'refunded'],
    ['operator.writtenOff', 'writtenOff'],
  ] as const
  return (
    <div className={customers.section}>
      <Panel
        title={t('operator.revenueByMonth')}
        note={t('operator.twelveMonths', { amount: formatMoney(all, currency, locale) })}
      >
        <div className={classes.bars} aria-hidden="true">
          {months.map(({ month, revenue }) => (
            <div key={month} className={classes.bar}>
              <i style={{ '--share': Math.max(revenue, 0) / most } as React.CSSProperties} />
              <span className="small quiet">{monthName(month, locale, 'short')}</span>
            </div>
          ))}
        </div>
        <p className={`${classes.foot} small quiet`}>{t('operator.revenueIs')}</p>
        <DataTable
          label={t('operator.revenueByMonth')}
          rows={[...months].reverse()}
          rowKey={({ month }) => month}
          columns={[
            { header: t('operator.month'), cell: ({ month }) => monthName(month, locale, 'long'), phone: 'first' },
            ...columns.map(([header, key], index) => ({
              header: t(header),
              cell: (row: MoneyMonth) => amount(row[key]),
              align: 'right' as const,
              width: '12%',
              ...(index === 0 && { phone: 'first-end' as const }),
            })),
          ]}
        />
      </Panel>
    </div>
  )
}
