import { paymentKinds, paymentPage, paymentStates } from '@atoll/contract/billing'
import { EmptyState } from '@atoll/ui'
import { IconCircleDot, IconCreditCard } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../data/use-call.ts'
import { formatDateAndTime } from '../../kit/format/billing-dates.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { choiceFilter } from '../../kit/table/choice-filter.ts'
import { FilterBar } from '../../kit/table/FilterBar.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { useListSearch } from '../../kit/table/use-list-search.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { shortCardName } from '../shared/card-names.ts'
import { DocumentBadge } from '../shared/DocumentBadge.tsx'
import { paymentLook } from '../shared/document-looks.ts'
import { useZone } from '../shared/use-customer.ts'
import classes from './BillPage.module.css'
import { paymentsSearch } from './bill-search.ts'
import { DayRange } from './DayRange.tsx'
import { spanOf } from './days.ts'

/** Every try to pay, also those that failed, with the reason in words. */
export function PaymentsTab() {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const list = useListSearch(paymentsSearch)
  const { kind, status, page = 1, ...days } = list.search
  const body = { ...(kind && { kind }), ...(status && { status }), ...spanOf(days, zone), page }
  const query = useCall(paymentPage, body, { placeholderData: keepPreviousData })
  return (
    <div className={classes.list}>
      <FilterBar
        filters={[
          choiceFilter({
            label: t('bill.filterMeans'),
            icon: IconCreditCard,
            all: t('bill.anyMeans'),
            values: paymentKinds,
            labelOf: (value) => t(value === 'card' ? 'money.card' : 'money.balance'),
            value: kind,
            onChoose: (value) => list.set('kind', value),
          }),
          choiceFilter({
            label: t('bill.filterResult'),
            icon: IconCircleDot,
            all: t('bill.anyResult'),
            values: paymentStates,
            labelOf: (value) => t(paymentLook({ status: value, cardLast4: '' }).label),
            value: status,
            onChoose: (value) => list.set('status', value),
          }),
        ]}
      >
        <DayRange
          days={days}
          onChange={(next) => list.replace({ ...(kind && { kind }), ...(status && { status }), ...next })}
        />
      </FilterBar>
      <PagedTable
        label={t('bill.payments')}
        query={query}
        rows={({ paymentInfo }) => paymentInfo}
        rowKey={({ paymentId }) => paymentId}
        list={list}
        errorTitle={t('bill.paymentsErrorTitle')}
        empty={
          <EmptyState tall title={t('bill.paymentsEmptyTitle')}>
            {t('bill.paymentsEmpty')}
          </EmptyState>
        }
        columns={[
          {
            header: t('bill.columnWhen'),
            cell: ({ createAt }) => <time dateTime={createAt}>{formatDateAndTime(createAt, zone, locale)}</time>,
            width: '210px',
            isQuiet: true,
            phone: 'second',
          },
          {
            header: t('bill.columnFor'),
            cell: ({ paymentId, summary, attempt }) => (
              <CellLines
                main={
                  <Link to="/payment/$id" params={{ id: paymentId }} className={classes.what ?? ''}>
                    {summary}
                  </Link>
                }
                second={attempt > 1 && t('bill.attempt', { number: attempt })}
              />
            ),
            leads: true,
            phone: 'first',
          },
          {
            header: t('bill.columnInvoice'),
            cell: ({ invoiceNumber }) => <span className={classes.document}>{invoiceNumber}</span>,
            width: '148px',
            isQuiet: true,
            phone: 'none',
            isWide: true,
          },
          {
            header: t('bill.columnResult'),
            cell: (payment) => (
              <CellLines
                main={<DocumentBadge look={paymentLook(payment)} bare />}
                second={payment.reason && <span className={classes.reason}>{payment.reason}</span>}
              />
            ),
            width: '25%',
            phone: 'second-end',
          },
          {
            header: t('bill.columnBy'),
            cell: (payment) => (payment.kind === 'card' ? shortCardName(payment, t) : t('money.balance')),
            width: '130px',
            isQuiet: true,
            phone: 'none',
            isWide: true,
          },
          {
            header: t('bill.columnAmount'),
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
