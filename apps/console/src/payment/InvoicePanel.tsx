import { formatDate, formatPeriod } from '../kit/format/billing-dates.ts'
import { formatMoney } from '../kit/format/money.ts'
import { useLocale, useText } from '../locales/text.ts'
import { meansOf } from '../money/means.ts'
import { Panel } from '../money/Panel.tsx'
import { PdfButtons } from '../money/PdfButton.tsx'
import { prepayment } from '../money/prepayment.ts'
import { useZone } from '../money/use-customer.ts'
import classes from './InvoicePanel.module.css'
import type { Invoice } from './use-payment.ts'

/** The invoice: its items, what a coupon takes, their sum, what paid it and came back, and its files. */
export function InvoicePanel({ invoice }: { invoice: Invoice }) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const { items, currency, coupon, creditNotes } = invoice
  const payment = invoice.status === 'paid' ? invoice.payment : undefined
  const money = (amount: number) => formatMoney(amount, currency, locale)
  const sumOf = (key: 'amount' | 'discount') => items.reduce((sum, item) => sum + item[key], 0)
  const discount = sumOf('discount')
  return (
    <Panel title={t('payment.invoice')} note={invoice.number}>
      <ul className={classes.items}>
        {items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an invoice's lines never change
          <li key={at}>
            <div className={classes.line}>
              <span>{[item.priceInfo.productName, item.of].filter(Boolean).join(t('money.dot'))}</span>
              <span className={classes.amount}>{money(item.amount)}</span>
            </div>
            <div className={classes.note}>
              {formatPeriod(item.periodStart, item.periodEnd, zone, locale)}
              {t('money.dot')}
              {t(prepayment(item.productType))}
            </div>
          </li>
        ))}
        {discount > 0 && (
          <li className={classes.line}>
            <span>{coupon ? t('payment.coupon', { code: coupon }) : t('payment.discount')}</span>
            <span className={classes.amount}>{money(-discount)}</span>
          </li>
        )}
      </ul>
      <div className={classes.total}>
        <span>{t('payment.total')}</span>
        <span className={classes.amount}>{money(sumOf('amount') - discount)}</span>
      </div>
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
              <span className={classes.amount}>{money(toBalance + toPromo + offInvoice)}</span>
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
