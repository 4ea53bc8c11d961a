import { type Currency, money } from '@atoll/money'
import type { Redemption } from '../../records/coupon-store.ts'
import { countEnd } from '../../records/coupon-uses.ts'
import type { CouponFacts } from '../basket.ts'

/** A coupon that an account may use, as input of the pricing engine. */
export function couponFacts(redemption: Redemption, currency: Currency): CouponFacts {
  const { coupon, hasCard, uses = [] } = redemption
  const { code, percentOff, amountOff, appliesTo, duration, months } = coupon
  const amount = amountOff?.[currency]
  const mayTakeAll = percentOff === undefined || percentOff === 100
  const [first, last] = [uses[0], uses.at(-1)]
  return {
    code,
    appliesTo,
    ...(percentOff !== undefined && { percentOff }),
    ...(amount !== undefined && { amountOff: money(amount, currency) }),
    ...(duration === 'once' && { isOnce: true }),
    // The first period that it reduces begins the count.
    ...(months !== undefined &&
      (first
        ? {
            endsAt: countEnd(first, months),
            begins: { subscription: first.subscription, from: first.period.start },
          }
        : { months })),
    // When the subscription that it was used on has ended it moves on.
    ...(last?.isLiving && { boundTo: last.subscription }),
    takes: uses.map(({ subscription, period, minor }) => ({ subscription, period, minor })),
    // Identities are free: without a card on file something is left to pay.
    ...(hasCard === false && mayTakeAll && coupon.needsCard !== false && { leavesSomething: true }),
  }
}

/** When the months of a coupon are over; undefined: they have no end, or are not counted yet. */
export function couponEnd({ coupon: { months }, uses = [] }: Pick<Redemption, 'coupon' | 'uses'>): Date | undefined {
  const [first] = uses
  return first && months !== undefined ? countEnd(first, months) : undefined
}

/** Whether it may still reduce something after `at`. */
export function mayGoOn(redemption: Pick<Redemption, 'coupon' | 'uses'>, at: Date): boolean {
  const { coupon, uses = [] } = redemption
  const end = couponEnd(redemption)
  return (coupon.duration !== 'once' || uses.length === 0) && (end === undefined || end > at)
}
