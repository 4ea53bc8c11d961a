import type { RefundEstimate } from '@atoll/contract/billing'
import type { Locale } from '@atoll/contract/wire'
import { estimateLifetimeMs } from '../pricing/estimate-token.ts'
import type { QuotedRefund } from './estimate-refund.ts'

export function refundJson({ at, refund, lines, owed, estimateToken }: QuotedRefund, locale: Locale): RefundEstimate {
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
  return {
    amount: refund.toBalance.minor,
    currency: refund.toBalance.currency,
    items: lines.map(({ line, terms, back }) => {
      const { period_start: start, period_end: end } = line
      const isWhole = back.kept.minor === 0
      // Between the two, whenever it is: a time that is over has nothing left, one to come is unused whole.
      const from = isWhole ? start : new Date(Math.min(Math.max(start.getTime(), at.getTime()), end.getTime()))
      return {
        instanceId: line.instanceId,
        productName: terms.title[locale],
        amount: back.toBalance.minor + back.offOwed.minor + back.toPromo.minor,
        quantity: 1,
        periodStart: seconds(from),
        periodEnd: seconds(end),
        chargedFrom: seconds(start),
        proration: from > start,
      }
    }),
    toPromo: refund.toPromo.minor,
    owed: owed.map(({ invoiceId, number, amount, stillToPay }) => ({
      invoiceId,
      number,
      amount: amount.minor,
      stillToPay: stillToPay.minor,
    })),
    fromBalance: 0,
    toCard: 0,
    validUntil: new Date(at.getTime() + estimateLifetimeMs).toISOString(),
    estimateToken,
  }
}
