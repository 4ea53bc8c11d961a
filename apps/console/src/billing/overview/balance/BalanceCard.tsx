import { customerInfo } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../../../data/use-call.ts'
import { formatBalance, formatMoney } from '../../../kit/format/money.ts'
import { ChangeButton } from '../../../kit/page/ChangeButton.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import card from '../card/BillingCard.module.css'
import { BillingCard } from '../card/BillingCard.tsx'
import { useNewestInvoices } from '../card/use-newest-invoices.ts'
import { couponWords } from './coupon-words.ts'
import { RedeemForm } from './RedeemForm.tsx'

/** The account's money before any card is charged, and the coupon that reduces its bills. */
export function BalanceCard() {
  const t = useText()
  const locale = useLocale()
  const [isRedeeming, setRedeeming] = useState(false)
  const query = useCall(customerInfo, {})
  const customer = query.data
  const { hasNone } = useNewestInvoices()
  const isFolded = hasNone && !isRedeeming && customer !== undefined && holdsNothing(customer)
  const redeem = (
    <ChangeButton size="xs" className={card.footEnd ?? ''} onClick={() => setRedeeming(true)}>
      {t('billing.redeem')}
    </ChangeButton>
  )
  return (
    <BillingCard
      title={t('billing.balance')}
      folded={isFolded && formatBalance(0, customer.currency, locale)}
      action={
        isFolded ? (
          redeem
        ) : (
          <Link to="/balanceDetail" className={card.link}>
            {t('billing.history')}
          </Link>
        )
      }
      query={query}
      errorTitle={t('billing.balanceError')}
      height={108}
    >
      {({ cashBalance, disputed, promoBalance, currency, coupon }) => (
        <>
          <div className={card.body}>
            <div className={card.figure}>{formatBalance(cashBalance, currency, locale)}</div>
            {disputed && (
              <div className={card.warning} role="status">
                {t('billing.disputed', { amount: formatMoney(disputed.amount, currency, locale) })}
              </div>
            )}
            {promoBalance > 0 && (
              <div className={card.quiet}>
                {t('billing.promo', { amount: formatMoney(promoBalance, currency, locale) })}
              </div>
            )}
            <div className={card.quiet}>{t('billing.balanceHelp')}</div>
          </div>
          <div className={card.foot}>
            {isRedeeming ? (
              <RedeemForm onDone={() => setRedeeming(false)} />
            ) : (
              <>
                <span>
                  {coupon
                    ? t('billing.couponHave', {
                        code: coupon.code,
                        words: couponWords(coupon, currency, locale, t),
                      })
                    : t('billing.couponNone')}
                </span>
                {redeem}
              </>
            )}
          </div>
        </>
      )}
    </BillingCard>
  )
}

/** No money of any kind, none in dispute, and no coupon. */
const holdsNothing = ({ cashBalance, promoBalance, disputed, coupon }: CallData<typeof customerInfo>) =>
  cashBalance === 0 && promoBalance === 0 && !disputed && !coupon
