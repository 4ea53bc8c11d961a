import type { Estimate as EstimateJson } from '@atoll/contract/billing'
import type { Locale } from '@atoll/contract/wire'
import type { PricedItem } from '../pricing/basket.ts'
import { estimateLifetimeMs } from '../pricing/estimate-token.ts'
import type { Estimate } from './estimate-order.ts'
import type { QuotedEstimate } from './estimate-service.ts'

export function estimateJson(
  { estimate, sold, quantity, estimateToken }: QuotedEstimate,
  locale: Locale,
): EstimateJson {
  const { items, gross } = estimate.basket
  const [first] = items
  if (!first) throw new Error('An estimate of nothing')
  const line = { ...estimateLine(first, sold.title[locale], quantity), amount: gross.minor }
  return { ...estimateFigures(estimate), items: [line], estimateToken }
}

export function estimateLine(
  { amount, period, proration }: PricedItem,
  productName: string,
  quantity: number,
): EstimateJson['items'][number] {
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
  const times = { periodStart: seconds(period.start), periodEnd: seconds(period.end), proration }
  return { productName, amount: amount.minor, quantity, ...times }
}

/** The figures of an estimate, without its lines. */
export function estimateFigures({
  at,
  basket: { discount, total, coupon, split },
  perMonth,
  afterCoupon,
  nextAt,
}: Pick<Estimate, 'at' | 'basket' | 'perMonth' | 'afterCoupon' | 'nextAt'>): Omit<
  EstimateJson,
  'items' | 'estimateToken'
> {
  return {
    amount: total.minor,
    currency: total.currency,
    discount: discount.minor,
    coupon: coupon?.code ?? null,
    fromPromo: split.promo.minor,
    fromBalance: split.balance.minor,
    toCard: split.card.minor,
    rolledOver: split.rolled.minor,
    perMonth: perMonth.minor,
    afterCoupon: afterCoupon && {
      code: afterCoupon.code,
      amount: afterCoupon.amount.minor,
      from: afterCoupon.from.toISOString(),
    },
    nextAt: nextAt.toISOString(),
    // A price until the next bill is not valid after that bill.
    validUntil: new Date(Math.min(at.getTime() + estimateLifetimeMs, nextAt.getTime())).toISOString(),
  }
}
