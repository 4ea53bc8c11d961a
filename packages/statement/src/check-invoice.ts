import { allocate, type Currency, money, percentOfMoney, smallerMoney } from '@atoll/money'
import { requireThat, requireWhole } from './bad-statement.ts'
import { dueOf, repriced } from './reprice.ts'
import type { StatementInvoice, StatementItem } from './statement.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Every line priced anew from what it says it is made of, and every sum added anew. */
export function checkInvoice(invoice: StatementInvoice, currency: Currency): void {
  const { number, items, gross, discount, total } = invoice
  for (const [index, item] of items.entries()) {
    const what = `Line ${index + 1} of ${number}`
    requireThat(item.line === index + 1, () => `${what} is missing.`)
    requireWhole(item.amount, `The amount of line ${index + 1} of ${number}`)
    requireWhole(item.discount, `The discount of line ${index + 1} of ${number}`)
    requireThat(item.discount >= 0 && item.discount <= item.amount, () => `${what} takes off more than it costs.`)
    const amount = repriced(item, currency, what)
    requireThat(amount === item.amount, () => `${what} says ${item.amount}; priced anew it costs ${amount}.`)
    const paid = item.explain.rule === 'usage' ? dueOf(item.explain) : item.explain.rounded
    requireThat(paid === item.amount, () => `${what} is explained as ${paid}, and says ${item.amount}.`)
  }
  const sums = [sum(items.map((item) => item.amount)), sum(items.map((item) => item.discount))] as const
  requireThat(gross === sums[0], () => `The lines of ${number} add up to ${sums[0]}, and not to ${gross}.`)
  requireThat(discount === sums[1], () => `The discounts of ${number} add up to ${sums[1]}, and not to ${discount}.`)
  requireThat(total === gross - discount, () => `${number} says ${total} in all, which is not ${gross - discount}.`)
  checkDiscount(invoice, currency)
}

/** What a line says was charged before is what earlier invoices charged for the same product and period. */
export function checkCharged(invoices: readonly StatementInvoice[]): void {
  const charged = new Map<string, number>()
  for (const { number, items } of invoices) {
    for (const { line, productType, periodStart, explain } of items) {
      if (explain.rule !== 'usage' || explain.charged === undefined) continue
      const before = charged.get(`${productType} ${periodStart}`) ?? 0
      requireThat(
        explain.charged === before,
        () => `Line ${line} of ${number} says ${explain.charged} was charged before, and ${before} was.`,
      )
    }
    for (const { productType, periodStart, amount, revenue } of items) {
      if (revenue !== 'usage') continue
      const key = `${productType} ${periodStart}`
      charged.set(key, (charged.get(key) ?? 0) + amount)
    }
  }
}

/** What the coupon takes in all, and how that is spread over the lines. */
function checkDiscount({ number, items, discount, gross }: StatementInvoice, currency: Currency): void {
  const reduced = items.filter((item) => item.discount > 0 || item.explain.discount !== undefined)
  const [first] = reduced
  if (!first) return
  const taken = first.explain.discount
  requireThat(taken !== undefined, () => `A discount of ${number} is not explained.`)
  for (const item of reduced) {
    requireThat(
      JSON.stringify(item.explain.discount) === JSON.stringify(taken),
      () => `The lines of ${number} explain their discount differently.`,
    )
  }
  const of = money(taken.of, currency)
  const off =
    taken.percentOff === undefined ? money(taken.amountOff ?? 0, currency) : percentOfMoney(of, taken.percentOff)
  const total = smallerMoney(off, of).minor
  requireThat(
    taken.total === total && discount === total,
    () => `The coupon ${taken.code} takes ${total} of ${taken.of}, and ${number} says ${discount}.`,
  )
  requireThat(taken.of <= gross, () => `The coupon ${taken.code} takes from more than ${number} charges.`)
  // A line of so little that the coupon takes nothing from it counts in `of` without saying so.
  if (sum(reduced.map((item) => item.amount)) === taken.of) checkShares(reduced, total, currency, number)
}

function checkShares(items: readonly StatementItem[], total: number, currency: Currency, number: string): void {
  const shares = allocate(
    money(total, currency),
    items.map(({ amount }) => money(amount, currency)),
  )
  for (const [index, share] of shares.entries()) {
    const item = items[index]
    requireThat(
      item?.discount === share.minor,
      () => `Line ${item?.line} of ${number} takes off ${item?.discount}; its share is ${share.minor}.`,
    )
  }
}
