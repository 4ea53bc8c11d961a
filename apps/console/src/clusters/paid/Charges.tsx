import type { Invoice } from '../../billing/payment/invoice/use-payment.ts'
import { cardName } from '../../billing/shared/card-names.ts'
import { Panel } from '../../billing/shared/Panel.tsx'
import { PdfIcon } from '../../billing/shared/PdfButton.tsx'
import { useZone } from '../../billing/shared/use-customer.ts'
import { formatDateAndTime, formatShortDate } from '../../kit/format/billing-dates.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { type TextKey, useLocale, useText } from '../../locales/text.ts'
import classes from './PaidPage.module.css'

const monthText = (code: string | undefined, goesOn: boolean): TextKey =>
  code === undefined ? 'paid.monthly' : goesOn ? 'paid.monthlyWith' : 'paid.monthWith'

/** From where the money came, the sum, and what is charged in the months to come. */
export function Charges({ invoice }: { invoice: Invoice }) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const { payment, currency, closeAt, createAt, ahead = [] } = invoice
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
      {ahead.length > 0 && (
        <dl className={classes.lines}>
          {ahead.map(({ at, amount, code, goesOn }) => (
            <div key={at}>
              <dt>{t(monthText(code, goesOn), { date: formatShortDate(at, zone, locale), code: code ?? '' })}</dt>
              <dd>{money(amount)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  )
}
