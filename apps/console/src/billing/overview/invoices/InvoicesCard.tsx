import { Link } from '@tanstack/react-router'
import { formatDate } from '../../../kit/format/billing-dates.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { CellLines } from '../../../kit/table/CellLines.tsx'
import { DataTable } from '../../../kit/table/DataTable.tsx'
import { NoValue } from '../../../kit/table/NoValue.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import { DocumentBadge } from '../../shared/DocumentBadge.tsx'
import { invoiceLooks, lookOf } from '../../shared/document-looks.ts'
import { meansOf } from '../../shared/means.ts'
import { PdfIcon } from '../../shared/PdfButton.tsx'
import { prepayment } from '../../shared/prepayment.ts'
import { useZone } from '../../shared/use-customer.ts'
import card from '../card/BillingCard.module.css'
import { BillingCard } from '../card/BillingCard.tsx'
import { useNewestInvoices } from '../card/use-newest-invoices.ts'

/** The newest invoices, and the way to all of them. */
export function InvoicesCard() {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const { query, hasNone } = useNewestInvoices()
  return (
    <BillingCard
      title={t('billing.invoices')}
      action={
        !hasNone && (
          <Link to="/bill" className={card.link}>
            {t('billing.allInvoices')}
          </Link>
        )
      }
      ruled
      folded={hasNone && t('billing.invoicesNone')}
      query={query}
      errorTitle={t('billing.invoicesError')}
      height={280}
    >
      {({ invoices }) => (
        <DataTable
          label={t('billing.invoices')}
          rows={invoices}
          rowKey={({ invoiceId }) => invoiceId}
          columns={[
            {
              header: t('billing.columnNumber'),
              cell: ({ invoiceId, number }) => (
                <Link to="/payment/$id" params={{ id: invoiceId }} className={card.rowLink}>
                  {number}
                </Link>
              ),
              width: '16%',
              leads: true,
              phone: 'first',
            },
            {
              header: t('billing.columnDate'),
              cell: ({ createAt }) => formatDate(createAt, zone, locale),
              width: '17%',
              isQuiet: true,
              phone: 'second-end',
            },
            {
              header: t('billing.columnFor'),
              cell: ({ summary, kind }) => (
                <CellLines main={summary} second={t(prepayment(kind === 'usage' ? 'usage' : 'Instance'))} />
              ),
              phone: 'second',
            },
            {
              header: t('billing.columnStatus'),
              cell: ({ status }) => <DocumentBadge look={lookOf(invoiceLooks, status)} bare />,
              width: '11%',
              phone: 'third',
            },
            {
              header: t('billing.columnPaidBy'),
              cell: ({ payment, status }) =>
                (status === 'paid' && payment && meansOf(payment, t)) || <NoValue label={t('billing.notPaidYet')} />,
              width: '16%',
              isQuiet: true,
              phone: 'none',
            },
            {
              header: t('billing.columnAmount'),
              cell: ({ amount, currency }) => formatMoney(amount, currency, locale),
              width: '10%',
              align: 'right',
              phone: 'first-end',
            },
            {
              header: t('billing.columnFile'),
              cell: (invoice) => <PdfIcon invoice={invoice} />,
              width: '54px',
              isActions: true,
              phone: 'third-end',
            },
          ]}
        />
      )}
    </BillingCard>
  )
}
