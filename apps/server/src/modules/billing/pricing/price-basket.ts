import { money, subtractMoney, sumMoney } from '@atoll/money'
import { applyCoupon } from './apply-coupon.ts'
import type { BasketFacts, PricedBasket, PricedItem } from './basket.ts'
import type { GrossItem } from './gross-item.ts'
import { pricePrepaid } from './price-prepaid.ts'
import { priceUsage } from './price-usage.ts'
import { splitPayment } from './split-payment.ts'

/**
 * The one engine of every figure: estimate, order, renewal, upcoming invoice and forecast. The same facts and instant
 * give the same figures. `at`: where an order's period begins, and where a renewal's is due, however late it runs.
 * Throws for facts in more than one currency.
 */
export function priceBasket(facts: BasketFacts, at: Date): PricedBasket {
  const { currency } = facts
  const gross = priceItems(facts, at)
  const applied = applyCoupon(gross, facts.coupons, currency)
  const items = gross.map((item, index) =>
    withDiscount(item, applied?.shares[index] ?? money(0, currency), applied?.explain),
  )
  const total = sumMoney(
    items.map(({ net }) => net),
    currency,
  )
  return {
    items,
    gross: sumMoney(
      items.map(({ amount }) => amount),
      currency,
    ),
    discount: applied?.total ?? money(0, currency),
    total,
    ...(applied && { coupon: { code: applied.code, discount: applied.total } }),
    split: splitPayment(total, facts.means),
  }
}

function priceItems({ items, currency, usageCap }: BasketFacts, at: Date): GrossItem[] {
  let left = usageCap
  return items.map((item) => {
    if (item.kind !== 'usage') return pricePrepaid(item, at)
    const priced = priceUsage(item, currency, left)
    if (left) left = subtractMoney(left, priced.amount)
    return priced
  })
}

function withDiscount(
  item: GrossItem,
  discount: PricedItem['discount'],
  explain: PricedItem['explain']['discount'],
): PricedItem {
  const { begins: _, ...priced } = item
  return {
    ...priced,
    discount,
    net: subtractMoney(item.amount, discount),
    explain: discount.minor > 0 && explain ? { ...item.explain, discount: explain } : item.explain,
  }
}
