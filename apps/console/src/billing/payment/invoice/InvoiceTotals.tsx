import { unknownAmount, unreadableRows } from '@atoll/contract/wire'
import { formatMoney } from '../../../kit/format/money.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import { Panel } from '../../shared/Panel.tsx'
import { PdfButtons } from '../../shared/PdfButton.tsx'
import classes from './InvoicePanel.module.css'
import { isUsage } from './invoice-item.ts'
import type { Invoice } from './use-payment.ts'

/** The totals of an invoice's lines. */
export function InvoiceTotal({ items, currency }: Pick<Invoice, 'items' | 'currency'>) {
  const t = useText()
  const locale = useLocale()
  const total = items.reduce((sum, { amount, discount }) => sum + amount - discount, 0)
  return (
    <div className={classes.total}>
      <span>{t('payment.total')}</span>
      <span className={classes.amount}>
        {unreadableRows(items) > 0 ? unknownAmount : formatMoney(total, currency, locale)}
      </span>
    </div>
  )
}

/** The sums of an invoice by what they are for, and its files: beside its lines. */
export function InvoiceTotals({ invoice }: { invoice: Invoice }) {
  const t = useText()
  const locale = useLocale()
  const { items, currency } = invoice
  const usage = items.filter(isUsage).reduce((sum, { amount }) => sum + amount, 0)
  const discount = items.reduce((sum, item) => sum + item.discount, 0)
  const ahead = items.reduce((sum, { amount }) => sum + amount, 0) - usage
  const rows = [
    [t('payment.ahead'), ahead],
    [t('payment.usage'), usage],
    [t('payment.discount'), -discount],
  ] as const
  return (
    <Panel title={t('payment.invoice')} note={invoice.number}>
      {unreadableRows(items) === 0 && (
        <ul className={classes.items}>
          {rows
            .filter(([, amount]) => amount !== 0)
            .map(([name, amount]) => (
              <li key={name} className={classes.line}>
                <span className={classes.quiet}>{name}</span>
                <span className={classes.amount}>{formatMoney(amount, currency, locale)}</span>
              </li>
            ))}
        </ul>
      )}
      <InvoiceTotal items={items} currency={currency} />
      <div className={classes.files}>
        <PdfButtons invoice={invoice} />
      </div>
    </Panel>
  )
}
