import { refuse } from '../../../../platform/refusal.ts'
import type { Redemption } from '../../records/coupon-store.ts'
import type { PricedBasket } from '../basket.ts'

/** Refuses a coupon that was typed with an order and would leave nothing to pay, where there is no card on file. */
export function requireCardFor(usable: readonly Redemption[], code: string | undefined, basket: PricedBasket): void {
  const typed = usable.find(({ coupon }) => coupon.code === code?.toUpperCase())
  if (typed?.hasCard !== false || typed.coupon.needsCard === false || basket.coupon) return
  const { percentOff, amountOff, appliesTo } = typed.coupon
  const { minor, currency } = basket.gross
  const takesAll = percentOff === 100 || (amountOff?.[currency] ?? 0) >= minor
  if (minor > 0 && takesAll && appliesTo.includes('instance')) refuse('couponNeedsCard', { code: typed.coupon.code })
}
