import { allocate, type Currency, money, percentOfMoney, smallerMoney } from '@atoll/money'
import { requireThat, requireWhole } from './bad-statement.ts'
import { dueOf, repriced } from './reprice.ts'
import type { Statement, StatementInvoice, StatementItem } from './statement.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Prices every line again from its own facts, and adds every sum again. */
export function checkInvoice(invoice: StatementInvoice, currency: Currency): void {
  const { number, items, gross, discount, total } = invoice
  for (const [index, item] of items.entries()) {
    const what = `Line ${index + 1} of ${number}`
    requireThat(item.line === index + 1, () => `${what} is missing.`)
    requireWhole(item.amount, `The amount of line ${index + 1} of ${number}`)
    requireWhole(item.discount, `The discount of line ${index + 1} of ${number}`)
    requireThat(item.discount >= 0 && item.discount <= item.amount, () => `${what} takes off more than it costs.`)
    const amount = repriced(item, currency, what)
    requireThat(amount === item.amount, () => `${what} says ${item.amount}; priced again it costs ${amount}.`)
    const paid = item.explain.rule === 'usage' ? dueOf(item.explain) : item.explain.rounded
    requireThat(paid === item.amount, () => `${what} is explained as ${paid}, and says ${item.amount}.`)
  }
  const sums = [sum(items.map((item) => item.amount)), sum(items.map((item) => item.discount))] as const
  requireThat(gross === sums[0], () => `The lines of ${number} add up to ${sums[0]}, and not to ${gross}.`)
  requireThat(discount === sums[1], () => `The discounts of ${number} add up to ${sums[1]}, and not to ${discount}.`)
  requireThat(total === gross - discount, () => `${number} says ${total} in all, which is not ${gross - discount}.`)
  checkDiscount(invoice, currency)
}

/**
 * The amount that a line calls charged before equals the charges of earlier invoices for the same product and period,
 * less what credit notes had given back by then.
 */
export function checkCharged({ invoices, creditNotes, book }: Statement): void {
  const postedAt = new Map(book.transactions.map(({ key, seq }) => [key, seq]))
  const seqOf = (id: string) => postedAt.get(`${id} issued`) ?? 0
  const lineOf = new Map(invoices.flatMap(({ id, items }) => items.map((item) => [`${id} ${item.line}`, item])))
  const changes = [
    ...invoices.map(({ id, number, items }) => ({ seq: seqOf(id), number, items, sign: 1 })),
    ...creditNotes.map(({ id, invoice, items }) => {
      const back = items.flatMap(({ line, amount }) => {
        const item = lineOf.get(`${invoice} ${line}`)
        return item ? [{ ...item, amount }] : []
      })
      return { seq: seqOf(id), number: '', items: back, sign: -1 }
    }),
  ].sort((a, b) => a.seq - b.seq)
  const charged = new Map<string, number>()
  for (const { number, items, sign } of changes) {
    for (const { line, productType, periodStart, explain } of sign > 0 ? items : []) {
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
      charged.set(key, (charged.get(key) ?? 0) + sign * amount)
    }
  }
}

/** The coupon's whole deduction, and its spread over the lines. */
function checkDiscount({ number, items, discount, gross }: StatementInvoice, currency: Currency): void {
  const reduced = items.filter((item) => item.discount > 0 || item.explain.discount !== undefined)
  // An amount is taken in each period for itself; anything else from all lines together, but for those that correct an
  // earlier period, which have the coupon of that.
  const groups = Map.groupBy(reduced, (item) => JSON.stringify([item.explain.discount, correctedPeriod(item)]))
  const own = reduced.filter((item) => correctedPeriod(item) === undefined).map(({ explain }) => explain.discount)
  const isOne = new Set(own.map((one) => JSON.stringify(one))).size === 1
  const isOneCode = new Set(own.map((one) => one?.code)).size === 1
  let all = 0
  for (const group of groups.values()) {
    const taken = group[0]?.explain.discount
    requireThat(taken !== undefined, () => `A discount of ${number} is not explained.`)
    requireThat(
      correctedPeriod(group[0]) !== undefined || isOne || (taken.period !== undefined && isOneCode),
      () => `The lines of ${number} explain their discount differently.`,
    )
    const of = money(taken.of, currency)
    const off =
      taken.percentOff === undefined
        ? money(Math.max((taken.amountOff ?? 0) - (taken.before ?? 0), 0), currency)
        : percentOfMoney(of, taken.percentOff)
    const total = smallerMoney(off, of).minor
    requireThat(
      taken.total === total,
      () => `The coupon ${taken.code} takes ${total} of ${taken.of}, and ${number} says ${taken.total}.`,
    )
    requireThat(taken.of <= gross, () => `The coupon ${taken.code} takes from more than ${number} charges.`)
    all += total
    // A line of so little that the coupon takes nothing from it counts in `of` without saying so.
    if (sum(group.map((item) => item.amount)) === taken.of) checkShares(group, total, currency, number)
  }
  requireThat(discount === all, () => `The coupon takes ${all}, and ${number} says ${discount}.`)
}

/** Which earlier period a line corrects. */
function correctedPeriod(item: StatementItem | undefined): string | undefined {
  return item?.explain.rule === 'usage' && item.explain.correction ? item.periodStart : undefined
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
