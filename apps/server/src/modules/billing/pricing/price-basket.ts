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
  const { currency, corrections = [] } = facts
  let left = facts.usageCap
  const groups = [facts, ...corrections].map(({ items, coupons }) => {
    const gross = items.map((item) => {
      const priced = item.kind === 'usage' ? priceUsage(item, currency, left) : pricePrepaid(item, at)
      if (left && item.kind === 'usage') left = subtractMoney(left, priced.amount)
      return priced
    })
    const applied = applyCoupon(gross, coupons, currency)
    const reduced = gross.map((item, index) =>
      withDiscount(item, applied?.shares[index] ?? money(0, currency), applied?.explains[index]),
    )
    return { items: reduced, applied }
  })
  const items = groups.flatMap((group) => group.items)
  const coupon = groups.find(({ applied }) => applied)?.applied?.code
  const discount = sumMoney(
    items.map((item) => item.discount),
    currency,
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
    discount,
    total,
    ...(coupon !== undefined && { coupon: { code: coupon, discount } }),
    split: splitPayment(total, facts.means),
  }
}

function withDiscount(
  item: GrossItem,
  discount: PricedItem['discount'],
  explain: PricedItem['explain']['discount'],
): PricedItem {
  const { whole: _, subscription: __, ...priced } = item
  return {
    ...priced,
    discount,
    net: subtractMoney(item.amount, discount),
    explain: discount.minor > 0 && explain ? { ...item.explain, discount: explain } : item.explain,
  }
}
