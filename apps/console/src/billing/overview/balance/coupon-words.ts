import type { Coupon, CouponTarget } from '@atoll/contract/billing'
import type { Locale } from '@atoll/contract/wire'
import { formatMoney } from '../../../kit/format/money.ts'
import { type TextKey, type Translate, textOf } from '../../../locales/text.ts'

const targets: Record<CouponTarget, TextKey> = {
  instance: 'billing.offInstances',
  plan: 'billing.offPlan',
  usage: 'billing.offUsage',
}
const durations: Record<Coupon['duration'], TextKey> = {
  once: 'billing.couponOnce',
  forever: 'billing.couponForever',
  repeating: 'billing.couponMonths',
}

/** A coupon's deduction, its object and its duration: `10% off instances, every month`. */
export function couponWords(coupon: Coupon, currency: 'usd' | 'cny', locale: Locale, t: Translate): string {
  const off =
    coupon.percentOff === undefined
      ? formatMoney(coupon.amountOff?.[currency] ?? 0, currency, locale)
      : new Intl.NumberFormat(locale, { style: 'percent' }).format(coupon.percentOff / 100)
  const of = coupon.appliesTo.map((target) => t(textOf(targets, target))).join(t('billing.and'))
  return t('billing.couponWords', {
    off,
    of,
    duration: t(textOf(durations, coupon.duration), { count: coupon.months ?? 0 }),
  })
}
