import { daysOfPeriod, formatDateAndTime, formatPeriod } from '../../kit/format/billing-dates.ts'
import { formatBalance, ofCustomer } from '../../kit/format/money.ts'
import { formatTotal } from '../../kit/format/total.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { shortCardName } from '../shared/card-names.ts'
import { useAccountNow, useCustomer, zoneOf } from '../shared/use-customer.ts'
import classes from './SubscriptionPage.module.css'
import type { Subscription } from './subscription.ts'
import { totalOf } from './total-of.ts'

/** This period and how much of it is left, what is charged next, and what pays it. */
export function PeriodCells({ subscription }: { subscription: Subscription }) {
  const t = useText()
  const locale = useLocale()
  const customer = useCustomer()
  const now = useAccountNow()
  const { periodStart, periodEnd, currency } = subscription
  const zone = zoneOf(customer)
  const { days, left } = daysOfPeriod(periodStart, periodEnd, now)
  const card = customer?.defaultPayMethod
  const hasBalance = customer !== undefined && ofCustomer(customer.cashBalance) > 0
  const names = [hasBalance && t('money.balance'), card && shortCardName(card, t)].filter(Boolean)
  return (
    <section className="box" aria-label={t('subscription.period')}>
      <dl className={classes.cells}>
        <div>
          <dt>{t('subscription.period')}</dt>
          <dd className={classes.figure}>{formatPeriod(periodStart, periodEnd, zone, locale)}</dd>
          <dd className="tiny quiet num">{t('subscription.daysLeft', { left, count: days })}</dd>
        </div>
        <div>
          <dt>{t('subscription.next')}</dt>
          <dd className={classes.figure}>
            {formatTotal(totalOf(subscription), [subscription.subscriptionItemsInfo], { currency, locale })}
          </dd>
          <dd className="tiny quiet num">{formatDateAndTime(periodEnd * 1000, zone, locale)}</dd>
        </div>
        <div>
          <dt>{t('subscription.paidBy')}</dt>
          <dd className={classes.figure}>
            {customer && (names.length > 0 ? names.join(t('subscription.then')) : t('money.noPaymentMethod'))}
          </dd>
          {hasBalance && (
            <dd className="tiny quiet num">
              {t('subscription.inBalance', { amount: formatBalance(customer.cashBalance, currency, locale) })}
            </dd>
          )}
        </div>
      </dl>
      <div className={classes.progress}>
        <div className={classes.bar} aria-hidden="true">
          <i style={{ width: `${(1 - left / days) * 100}%` }} />
        </div>
      </div>
    </section>
  )
}
