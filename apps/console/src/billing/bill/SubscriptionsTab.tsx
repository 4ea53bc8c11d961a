import { type SubscriptionRow, subscriptionStates, subscriptionsPage } from '@atoll/contract/billing'
import { EmptyState } from '@atoll/ui'
import { IconCircleDot } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../data/use-call.ts'
import { Deadline } from '../../kit/figures/Deadline.tsx'
import { formatDate, formatPeriod } from '../../kit/format/billing-dates.ts'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { choiceFilter } from '../../kit/table/choice-filter.ts'
import { FilterBar } from '../../kit/table/FilterBar.tsx'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { useListSearch } from '../../kit/table/use-list-search.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { DocumentBadge } from '../shared/DocumentBadge.tsx'
import { lookOf, subscriptionLooks } from '../shared/document-looks.ts'
import { useAccountNow, useZone } from '../shared/use-customer.ts'
import classes from './BillPage.module.css'
import { subscriptionsSearch } from './bill-search.ts'

/** Monthly charges, and the next date of each. */
export function SubscriptionsTab() {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const now = useAccountNow()
  const list = useListSearch(subscriptionsSearch)
  const { status, page = 1 } = list.search
  const query = useCall(
    subscriptionsPage,
    { ...(status && { status }), page },
    {
      placeholderData: keepPreviousData,
    },
  )
  const renews = ({ status: state }: SubscriptionRow) => state === 'active' || state === 'past_due'
  return (
    <div className={classes.list}>
      <FilterBar
        filters={[
          choiceFilter({
            label: t('bill.filterStatus'),
            icon: IconCircleDot,
            all: t('bill.anyStatus'),
            values: subscriptionStates,
            labelOf: (value) => t(lookOf(subscriptionLooks, value).label),
            value: status,
            onChoose: (value) => list.set('status', value),
          }),
        ]}
      />
      <PagedTable
        label={t('bill.subscriptions')}
        query={query}
        rows={({ subscriptions }) => subscriptions}
        rowKey={({ subscriptionId }) => subscriptionId}
        list={list}
        errorTitle={t('bill.subscriptionsErrorTitle')}
        empty={
          <EmptyState tall title={t('bill.subscriptionsEmptyTitle')}>
            {t('bill.subscriptionsEmpty')}
          </EmptyState>
        }
        columns={[
          {
            header: t('bill.columnName'),
            cell: ({ subscriptionId, name }) => (
              <CellLines
                main={
                  <Link to="/subscriptions/$id" params={{ id: subscriptionId }} className={classes.what ?? ''}>
                    {name}
                  </Link>
                }
              />
            ),
            leads: true,
            phone: 'first',
          },
          {
            header: t('bill.columnWhat'),
            cell: ({ kind, instances }) => (kind === 'plan' ? t('bill.plan') : t('bill.cluster', { count: instances })),
            width: '20%',
            isQuiet: true,
            phone: 'none',
            isWide: true,
          },
          {
            header: t('bill.columnPeriod'),
            cell: ({ periodStart, periodEnd, validUntil }) =>
              validUntil ? (
                <Deadline at={validUntil} now={now}>
                  {t('bill.payBy', { time: formatDeadline(validUntil, now, locale) })}
                </Deadline>
              ) : (
                formatPeriod(periodStart, periodEnd, zone, locale)
              ),
            width: '20%',
            isQuiet: true,
            phone: 'second',
          },
          {
            header: t('bill.columnStatus'),
            cell: ({ status: state }) => <DocumentBadge look={lookOf(subscriptionLooks, state)} bare />,
            width: '112px',
            phone: 'second-end',
          },
          {
            header: t('bill.columnNext'),
            cell: (row) =>
              renews(row) ? formatDate(row.periodEnd * 1000, zone, locale) : <NoValue label={t('bill.noRenewal')} />,
            width: '154px',
            isQuiet: true,
            phone: 'none',
            isWide: true,
          },
          {
            header: t('bill.columnMonth'),
            cell: ({ amount, currency }) => (
              <span className={classes.number}>{formatMoney(amount, currency, locale)}</span>
            ),
            width: '112px',
            align: 'right',
            phone: 'first-end',
          },
        ]}
      />
    </div>
  )
}
