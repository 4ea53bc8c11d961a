import { expect, test } from 'vitest'
import { compare } from './compare.ts'
import type { Invoice } from './use-payment.ts'

/** Of what is compared, its products and their amounts. */
const invoice = (discount: number, ...lines: [string, number][]) => ({
  discount,
  // the only fields that are read
  items: lines.map(([productName, amount]) => ({ priceInfo: { productName, amount: 0 }, amount })) as Invoice['items'],
})

test('each product of either bill is compared, one that is new or gone too, and the sum is the difference of the bills', () => {
  const last = invoice(288, ['Traffic', 260], ['Storage', 40])
  const next = invoice(300, ['Traffic', 840], ['Traffic', 10], ['Backup', 62])
  expect(compare(last, next)).toEqual({
    products: [
      ['Traffic', 590],
      ['Backup', 62],
      ['Storage', -40],
    ],
    discount: -12,
    total: 600,
  })
})
