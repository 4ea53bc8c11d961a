import { Link } from '@tanstack/react-router'
import { formatDate } from '../../kit/format/billing-dates.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { DocumentBadge } from '../shared/DocumentBadge.tsx'
import { invoiceLooks, lookOf } from '../shared/document-looks.ts'
import { Panel } from '../shared/Panel.tsx'
import { PdfIcon } from '../shared/PdfButton.tsx'
import { useZone } from '../shared/use-customer.ts'
import classes from './SubscriptionInvoices.module.css'
import type { Subscription } from './subscription.ts'

/** Its invoices, newest first: of each its own part. */
export function SubscriptionInvoices({ subscription: { invoices, currency } }: { subscription: Subscription }) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  return (
    <Panel title={t('subscription.invoices')} note={t('subscription.part')}>
      <DataTable
        label={t('subscription.invoices')}
        rows={invoices}
        rowKey={({ invoiceId }) => invoiceId}
        columns={[
          {
            header: t('bill.columnNumber'),
            cell: ({ number, invoiceId }) => (
              <Link to="/payment/$id" params={{ id: invoiceId }} className={classes.number ?? ''}>
                {number}
              </Link>
            ),
            width: '172px',
            leads: true,
            phone: 'second',
          },
          {
            header: t('bill.columnDate'),
            cell: ({ createAt }) => formatDate(createAt, zone, locale),
            width: '154px',
            isQuiet: true,
            phone: 'second',
            isWide: true,
          },
          {
            header: t('bill.columnFor'),
            cell: ({ summary }) => <CellLines main={summary} />,
            phone: 'first',
          },
          {
            header: t('bill.columnStatus'),
            cell: ({ status }) => <DocumentBadge look={lookOf(invoiceLooks, status)} bare />,
            width: '112px',
            phone: 'second-end',
          },
          {
            header: t('bill.columnAmount'),
            cell: ({ amount }) => formatMoney(amount, currency, locale),
            width: '110px',
            align: 'right',
            phone: 'first-end',
          },
          {
            header: t('bill.columnActions'),
            cell: (invoice) => <PdfIcon invoice={invoice} />,
            width: '56px',
            isActions: true,
            phone: 'none',
          },
        ]}
      />
    </Panel>
  )
}
