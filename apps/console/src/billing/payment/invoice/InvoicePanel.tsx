import { formatDate } from '../../../kit/format/billing-dates.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import { meansOf } from '../../shared/means.ts'
import { Panel } from '../../shared/Panel.tsx'
import { PdfButtons } from '../../shared/PdfButton.tsx'
import { useZone } from '../../shared/use-customer.ts'
import { InvoiceLines, type InvoiceLinesProps } from './InvoiceLines.tsx'
import classes from './InvoicePanel.module.css'
import { InvoiceTotal } from './InvoiceTotals.tsx'

/** An invoice without usage, beside its payment: its lines, their sum, what paid it and came back, and its files. */
export function InvoicePanel({ invoice, usageOf }: InvoiceLinesProps) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const { items, currency, creditNotes } = invoice
  const payment = invoice.status === 'paid' ? invoice.payment : undefined
  return (
    <Panel title={t('payment.invoice')} note={invoice.number}>
      <InvoiceLines invoice={invoice} usageOf={usageOf} />
      <InvoiceTotal items={items} currency={currency} />
      {(payment || creditNotes.length > 0) && (
        <ul className={classes.items}>
          {payment && (
            <li className={classes.line}>
              <span className={classes.quiet}>{t('payment.paidBy')}</span>
              <span>{meansOf(payment, t)}</span>
            </li>
          )}
          {creditNotes.map(({ creditNoteId, createAt, toBalance, toPromo, offInvoice }) => (
            <li key={creditNoteId} className={classes.line}>
              <span className={classes.quiet}>
                {t('payment.givenBack', { date: formatDate(createAt, zone, locale) })}
              </span>
              <span className={classes.amount}>{formatMoney(toBalance + toPromo + offInvoice, currency, locale)}</span>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.files}>
        <PdfButtons invoice={invoice} />
      </div>
    </Panel>
  )
}
