import type { Invoice } from './use-payment.ts'

type Compared = Pick<Invoice, 'items' | 'discount'>

/** By how much `next` is more than `last`: for each product of either, in what is taken off, and in all. */
export function compare(
  last: Compared,
  next: Compared,
): { products: [name: string, more: number][]; discount: number; total: number } {
  const more = new Map<string, number>()
  const add = (items: Compared['items'], sign: 1 | -1) => {
    for (const { priceInfo, amount } of items) {
      more.set(priceInfo.productName, (more.get(priceInfo.productName) ?? 0) + sign * amount)
    }
  }
  add(next.items, 1)
  add(last.items, -1)
  const discount = last.discount - next.discount
  const products = [...more]
  return { products, discount, total: products.reduce((sum, [, amount]) => sum + amount, discount) }
}
