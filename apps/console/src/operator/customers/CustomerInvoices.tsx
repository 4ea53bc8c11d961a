import type { CustomerDetail } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { invoiceLooks } from '../../billing/shared/document-looks.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { DayAndTime } from '../parts/DayAndTime.tsx'
import { LookBadge } from '../parts/LookBadge.tsx'
import { TablePanel } from '../parts/TablePanel.tsx'
import { WriteOff } from '../parts/WriteOff.tsx'

interface CustomerInvoicesProps {
  customer: CustomerDetail
  onChanged: () => void
}

/** The newest invoices of a customer; what is owed can be written off. */
export function CustomerInvoices({ customer, onChanged }: CustomerInvoicesProps) {
  const t = useText()
  const locale = useLocale()
  const name = displayName(customer.person)
  return (
    <TablePanel
      title={t('operator.invoices')}
      note={t('operator.invoicesCount', { count: customer.invoices })}
      none={t('operator.noInvoices')}
      rows={customer.latestInvoices}
      rowKey={({ invoiceId }) => invoiceId}
      columns={[
        { header: t('operator.number'), cell: ({ number }) => <CellLines main={number} />, phone: 'first' },
        {
          header: t('operator.date'),
          cell: ({ createAt }) => <DayAndTime at={createAt} />,
          width: '24%',
          isQuiet: true,
          phone: 'second',
        },
        {
          header: t('operator.state'),
          cell: ({ state }) => <LookBadge<string> looks={invoiceLooks} state={state} />,
          width: '20%',
          phone: 'second-end',
        },
        {
          header: t('operator.amount'),
          cell: ({ total, currency }) => <span className="num">{formatMoney(total, currency, locale)}</span>,
          width: '16%',
          align: 'right',
          phone: 'first-end',
        },
        {
          header: t('operator.actions'),
          cell: ({ owed, ...invoice }) =>
            owed !== null && <WriteOff invoice={{ ...invoice, amount: owed }} name={name} onChanged={onChanged} />,
          width: '56px',
          isActions: true,
          phone: 'first-end',
        },
      ]}
    />
  )
}
