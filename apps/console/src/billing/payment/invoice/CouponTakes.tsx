import { formatMoney } from '../../../kit/format/money.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import classes from './InvoiceLines.module.css'
import { type Item, nameOf } from './invoice-item.ts'

/** The coupon's deduction from each line that it reduces. */
export function CouponTakes({ items, currency }: { items: readonly Item[]; currency: string }) {
  const t = useText()
  const locale = useLocale()
  const money = (amount: number) => formatMoney(amount, currency, locale)
  return (
    <ul className={classes.takes}>
      {items
        .filter(({ discount }) => discount > 0)
        .map((item) => {
          const percent = item.explain.discount?.percentOff
          const of = { amount: money(item.amount) }
          return (
            <li key={item.line} className={classes.line}>
              <span>
                {nameOf(item, t)}
                <span className={classes.note}>
                  {percent === undefined ? t('payment.takenOf', of) : t('payment.percentOf', { percent, ...of })}
                </span>
              </span>
              <span className={classes.amount}>{money(-item.discount)}</span>
            </li>
          )
        })}
    </ul>
  )
}
