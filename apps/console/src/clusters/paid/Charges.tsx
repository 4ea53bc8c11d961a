import type { Invoice } from '../../billing/payment/use-payment.ts'
import { cardName } from '../../billing/shared/card-names.ts'
import { Panel } from '../../billing/shared/Panel.tsx'
import { PdfIcon } from '../../billing/shared/PdfButton.tsx'
import { useZone } from '../../billing/shared/use-customer.ts'
import { formatDateAndTime, formatShortDate } from '../../kit/format/billing-dates.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './PaidPage.module.css'

/** From where the money came, the sum, and what is charged from the next month on. */
export function Charges({ invoice }: { invoice: Invoice }) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const { payment, currency, closeAt, createAt, items, coupon } = invoice
  const money = (minor: number) => formatMoney(minor, currency, locale)
  const parts: [string, number][] = payment
    ? [
        [t('paid.fromPromo'), payment.fromPromo],
        [t('paid.fromBalance'), payment.fromBalance],
        [cardName(payment, t), payment.toCard],
        [t('money.nextBill'), payment.rolledOver],
      ]
    : []
  const drawn = parts.filter(([, minor]) => minor > 0)
  const next = items[0] && formatShortDate(items[0].periodEnd * 1000, zone, locale)
  const monthly = items.reduce((sum, { priceInfo, quantity }) => sum + priceInfo.amount * quantity, 0)
  return (
    <Panel title={t('paid.charges')} note={<PdfIcon invoice={invoice} />}>
      {drawn.length > 0 && (
        <dl className={classes.lines}>
          {drawn.map(([label, minor]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{money(minor)}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={classes.sum}>
        <div>
          <b>{t('payment.paid')}</b>
          <span className="tiny quiet num">{formatDateAndTime(closeAt ?? createAt, zone, locale)}</span>
        </div>
        <span className={classes.figure}>{money(invoice.amount)}</span>
      </div>
      {next && (
        <dl className={classes.lines}>
          <div>
            <dt>
              {coupon ? t('paid.monthlyBefore', { date: next, code: coupon }) : t('paid.monthly', { date: next })}
            </dt>
            <dd>{money(monthly)}</dd>
          </div>
        </dl>
      )}
    </Panel>
  )
}
