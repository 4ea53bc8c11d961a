import {
  type InvoiceFilter,
  type InvoiceRow,
  invoiceKindFilters,
  invoiceStates,
  invoicesPage,
} from '@atoll/contract/billing'
import { EmptyState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconCircleDot, IconFilter } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../data/use-call.ts'
import { Deadline } from '../../kit/figures/Deadline.tsx'
import { type AccountZone, formatDate, formatPeriod } from '../../kit/format/billing-dates.ts'
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
import { invoiceLooks, lookOf } from '../shared/document-looks.ts'
import { meansOf } from '../shared/means.ts'
import { PdfIcon } from '../shared/PdfButton.tsx'
import { prepayment } from '../shared/prepayment.ts'
import { useAccountNow, useZone } from '../shared/use-customer.ts'
import classes from './BillPage.module.css'
import { type InvoicesSearch, invoicesSearch } from './bill-search.ts'
import { DayRange } from './DayRange.tsx'
import { spanOf } from './days.ts'
import { OpenInvoice } from './OpenInvoice.tsx'

/** The body of the server's call for a search. */
export function invoiceFilterOf({ kind, status, from, to }: InvoicesSearch, zone: AccountZone): InvoiceFilter {
  return {
    ...(kind && { kind }),
    ...(status && { status }),
    ...spanOf({ ...(from && { from }), ...(to && { to }) }, zone),
  }
}

/** The invoices, newest first; one that waits is marked and can be paid from here. */
export function InvoicesTab() {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const now = useAccountNow()
  const list = useListSearch(invoicesSearch)
  const { search } = list
  const body = { ...invoiceFilterOf(search, zone), page: search.page ?? 1 }
  const query = useCall(invoicesPage, body, { placeholderData: keepPreviousData })
  const toPay = query.data?.toPay
  const open = query.data?.invoices.filter(({ status }) => status === 'open') ?? []
  const { kind, status } = search
  const detailsOf = (invoice: InvoiceRow) => (
    <>
      {isOpen(invoice) && invoice.validUntil ? (
        <Deadline at={invoice.validUntil} now={now}>
          {t('bill.payBy', { time: formatDeadline(invoice.validUntil, now, locale) })}
        </Deadline>
      ) : (
        <span>{formatPeriod(invoice.periodStart, invoice.periodEnd, zone, locale)}</span>
      )}
      {t('money.dot')}
      {t(prepayment(invoice.kind === 'usage' ? 'usage' : 'Instance'))}
    </>
  )
  return (
    <div className={classes.list}>
      <FilterBar
        filters={[
          choiceFilter({
            label: t('bill.filterKind'),
            icon: IconFilter,
            all: t('bill.anyKind'),
            values: invoiceKindFilters,
            labelOf: (value) => t(`bill.kind_${value}`),
            value: kind,
            onChoose: (value) => list.set('kind', value),
          }),
          choiceFilter({
            label: t('bill.filterStatus'),
            icon: IconCircleDot,
            all: t('bill.anyStatus'),
            values: invoiceStates,
            labelOf: (value) => t(lookOf(invoiceLooks, value).label),
            value: status,
            onChoose: (value) => list.set('status', value),
          }),
        ]}
      >
        <DayRange
          days={search}
          onChange={(days) => list.replace({ ...(kind && { kind }), ...(status && { status }), ...days })}
        />
        {toPay && toPay.count > 0 && (
          <span className={classes.sum}>
            {t('bill.toPayBefore', { count: toPay.count })}
            <b>{formatMoney(toPay.amount, toPay.currency, locale)}</b>
            {t('bill.toPayAfter')}
          </span>
        )}
      </FilterBar>
      {open.map((invoice) => (
        <OpenInvoice key={invoice.invoiceId} invoice={invoice} />
      ))}
      <PagedTable
        label={t('bill.invoices')}
        query={query}
        rows={({ invoices }) => invoices}
        rowKey={({ invoiceId }) => invoiceId}
        isMarked={isOpen}
        list={list}
        errorTitle={t('bill.invoicesErrorTitle')}
        empty={
          <EmptyState tall title={t('bill.invoicesEmptyTitle')}>
            {t('bill.invoicesEmpty')}
          </EmptyState>
        }
        columns={[
          {
            header: t('bill.columnNumber'),
            cell: ({ number }) => <span className={classes.number}>{number}</span>,
            width: '146px',
            phone: 'none',
            isWide: true,
          },
          {
            header: t('bill.columnDate'),
            cell: ({ createAt }) => <time dateTime={createAt}>{formatDate(createAt, zone, locale)}</time>,
            width: '154px',
            isQuiet: true,
            phone: 'second',
          },
          {
            header: t('bill.columnFor'),
            cell: (invoice) => (
              <CellLines
                main={
                  <Link to="/payment/$id" params={{ id: idOf(invoice) }} className={classes.what ?? ''}>
                    {invoice.summary}
                  </Link>
                }
                second={<span className={classes.details}>{detailsOf(invoice)}</span>}
              />
            ),
            leads: true,
            phone: 'first',
          },
          {
            header: t('bill.columnStatus'),
            cell: (invoice) => <DocumentBadge look={lookOf(invoiceLooks, invoice.status)} bare />,
            width: '100px',
            phone: 'second-end',
          },
          {
            header: t('bill.columnPaidBy'),
            cell: ({ payment, status: state }) =>
              (state === 'paid' && payment && meansOf(payment, t)) || <NoValue label={t('bill.notPaidYet')} />,
            width: '152px',
            isQuiet: true,
            phone: 'none',
            isWide: true,
          },
          {
            header: t('bill.columnAmount'),
            cell: ({ amount, currency, status }) => (
              <span className={status === 'void' ? classes.void : classes.number}>
                {formatMoney(amount, currency, locale)}
              </span>
            ),
            width: '100px',
            align: 'right',
            phone: 'first-end',
          },
          {
            header: t('bill.columnActions'),
            cell: (invoice) => (
              <span className={classes.actions}>
                {isOpen(invoice) && (
                  <Button
                    size="xs"
                    variant="filled"
                    renderRoot={(props) => <Link {...props} to="/payment/$id" params={{ id: invoice.invoiceId }} />}
                    aria-label={t('bill.payOf', { number: invoice.number })}
                  >
                    {t('bill.pay')}
                  </Button>
                )}
                <PdfIcon invoice={invoice} />
              </span>
            ),
            width: '104px',
            isActions: true,
            phone: 'none',
          },
        ]}
      />
    </div>
  )
}

const isOpen = ({ status }: InvoiceRow) => status === 'open'

/** Its payment, and until then the invoice itself. */
const idOf = ({ payment, status, invoiceId }: InvoiceRow) =>
  status === 'paid' && payment ? payment.paymentId : invoiceId
