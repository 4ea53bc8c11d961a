import { invoicesDetail, invoicesPage } from '@atoll/contract/billing'
import { unreadableRows } from '@atoll/contract/wire'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../../data/use-call.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import { Panel } from '../../shared/Panel.tsx'
import { compare } from './compare.ts'
import classes from './InvoicePanel.module.css'
import type { Invoice } from './use-payment.ts'

/** By how much an invoice is more or less than the one of its kind before it; nothing where there is none. */
export function Compared({ invoice }: { invoice: Invoice }) {
  const t = useText()
  const locale = useLocale()
  const { kind, createAt, currency } = invoice
  const before = useCall(invoicesPage, { kind, to: createAt, page: 1, rowsPerPage: 10 })
  const known = before.data?.invoices.find(
    ({ status, invoiceId }) => status !== 'void' && invoiceId !== invoice.invoiceId,
  )
  const detail = useCall(invoicesDetail, { invoiceId: known?.invoiceId ?? '' }, { enabled: known !== undefined })
  const last = detail.data
  if (!last || unreadableRows(last.items) + unreadableRows(invoice.items) > 0) return null
  const money = (amount: number) => `${amount > 0 ? '+' : ''}${formatMoney(amount, currency, locale)}`
  const { products, discount, total } = compare(last, invoice)
  const rows: [string, number][] = [
    ...products,
    ...(discount === 0 ? [] : [[t('payment.discount'), discount] as [string, number]]),
  ]
  return (
    <Panel
      title={t('payment.compared')}
      note={
        <Link to="/payment/$id" params={{ id: last.invoiceId }}>
          {last.number}
        </Link>
      }
    >
      <ul className={classes.items}>
        {rows.map(([name, amount]) => (
          <li key={name} className={classes.line}>
            <span className={classes.quiet}>{name}</span>
            <span className={classes.amount}>{money(amount)}</span>
          </li>
        ))}
        <li className={classes.line}>
          <b>{t('payment.inAll')}</b>
          <b className={classes.amount}>{money(total)}</b>
        </li>
      </ul>
    </Panel>
  )
}
