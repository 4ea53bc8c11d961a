import type { Estimate } from '@atoll/contract/billing'
import type { PaymentMethod } from '@atoll/contract/payments'
import { cardName } from '../../billing/shared/card-names.ts'
import { useZone } from '../../billing/shared/use-customer.ts'
import { formatShortDate } from '../../kit/format/billing-dates.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './EstimateFigures.module.css'

interface EstimateFiguresProps {
  estimate: Estimate
  /** The card that is charged; undefined: there is none. */
  method: PaymentMethod | undefined
}

/** The cost of an order, to the cent: now, by means, and every month. 'Pay now' is the largest figure. */
export function EstimateFigures({ estimate, method }: EstimateFiguresProps) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const {
    amount,
    currency,
    discount,
    coupon,
    fromPromo,
    fromBalance,
    toCard,
    rolledOver,
    perMonth,
    nextAt,
    afterCoupon,
  } = estimate
  const money = (minor: number) => formatMoney(minor, currency, locale)
  const lines: [string, number][] = [[coupon ? t('create.coupon', { code: coupon }) : t('create.discount'), -discount]]
  const parts: [string, number][] = [
    [t('create.fromPromo'), fromPromo],
    [t('create.fromBalance'), fromBalance],
    [method ? cardName(method, t) : t('create.noCard'), toCard],
    [t('create.rolledOver'), rolledOver],
  ]
  const drawn = ([label, minor]: [string, number]) =>
    minor !== 0 && (
      <div key={label} className={classes.part}>
        <dt>{label}</dt>
        <dd>{money(minor)}</dd>
      </div>
    )
  return (
    <dl className={classes.figures}>
      {lines.map(drawn)}
      <div className={classes.now}>
        <dt>{t('create.payNow')}</dt>
        <dd>{money(amount)}</dd>
      </div>
      {parts.map(drawn)}
      <div className={classes.next}>
        <dt>{t('create.thenMonthlyFrom', { date: formatShortDate(nextAt, zone, locale) })}</dt>
        <dd>{money(perMonth)}</dd>
      </div>
      {afterCoupon && (
        <div className={classes.next}>
          <dt>
            {t('create.afterCoupon', {
              code: afterCoupon.code,
              date: formatShortDate(afterCoupon.from, zone, locale),
            })}
          </dt>
          <dd>{money(afterCoupon.amount)}</dd>
        </div>
      )}
    </dl>
  )
}
