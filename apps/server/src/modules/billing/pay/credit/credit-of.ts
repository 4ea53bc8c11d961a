import { divideHalfEven, money, splitRefund, subtractMoney } from '@atoll/money'
import type { PricedRefund, RefundedItem } from '../../pricing/price-refund.ts'
import type { InvoiceItemRow } from '../../records/documents/document-tables.ts'
import type { Credit } from './post-credit.ts'
import type { RefundableLines } from './refundable-lines.ts'

/** The content of an invoice's credit note; undefined if nothing is credited. `at`: null for items that go on. */
export function creditOf(
  {
    invoice,
    lines,
    refundable,
  }: Pick<RefundableLines, 'invoice' | 'lines'> & {
    refundable: readonly Pick<RefundableLines['refundable'][number], 'credited'>[]
  },
  refunded: PricedRefund,
  at: Date | null,
): Omit<Credit, 'at'> | undefined {
  const credited = lines.flatMap((line, index) => {
    const [item, before] = [refunded.items[index], refundable[index]?.credited]
    const part = item && before && creditedPart(line, item, { before: before.minor, at })
    return part && part.amount_minor > 0 ? [{ ...line, ...part }] : []
  })
  if (credited.length === 0) return undefined
  const { toBalance, toPromo, offOwed } = refunded
  const cause = at === null ? 'stopped' : refunded.items.some(({ hasRun }) => hasRun) ? 'ended' : 'neverRan'
  return { invoice, cause, lines: credited, cash: toBalance, promo: toPromo, offOwed }
}

/**
 * How much of a line's amount and discount is taken back, so that their difference is what goes back of its net. The
 * difference of rounded totals, so that what is given back in parts is never more than the line. Of a machine that ran,
 * be it for a second, the least of its discount stays: its coupon was used.
 */
function creditedPart(
  { amount_minor: amount, discount_minor: discount, period_start: start, period_end: end }: InvoiceItemRow,
  { toBalance, offOwed, toPromo, hasRun }: RefundedItem,
  { before, at }: { before: number; at: Date | null },
): { amount_minor: number; discount_minor: number } {
  const back = money(toBalance.minor + offOwed.minor + toPromo.minor, toBalance.currency)
  const net = amount - discount
  if (net === 0) {
    if (!hasRun) return { amount_minor: amount, discount_minor: discount }
    // A coupon paid all of it: the time that was used is its use.
    const { returned } = splitRefund(money(amount, back.currency), { start, end }, at ?? end)
    const part = Math.min(returned.minor, discount - 1)
    return { amount_minor: part, discount_minor: part }
  }
  const amountOf = (part: number) => Number(divideHalfEven(BigInt(amount) * BigInt(part), BigInt(net)))
  const part = amountOf(before + back.minor) - amountOf(before)
  const ofDiscount = subtractMoney(money(part, back.currency), back).minor
  const isWhole = before + back.minor === net
  const kept = hasRun && isWhole && ofDiscount > 0 ? 1 : 0
  return { amount_minor: part - kept, discount_minor: ofDiscount - kept }
}
