import type { Period } from '@atoll/money'
import type { PlanTerms } from '../../catalog/index.ts'
import type { SoldPlan } from '../records/own-plan.ts'

/** A part of a period during which the account was on one plan. */
export interface PlanSpan {
  itemId: string
  priceId: string
  terms: PlanTerms
  part: Period
}

/** The plans of a subscription within a period, in their order: usage is cut where one took the place of another. */
export function planSpans(sold: readonly SoldPlan[], period: Period): PlanSpan[] {
  return sold.flatMap(({ item: { id: itemId, price_id: priceId, began_at: began, ended_at: ended }, terms }) => {
    if (!began) return []
    const start = began > period.start ? began : period.start
    const end = ended && ended < period.end ? ended : period.end
    return start < end ? [{ itemId, priceId, terms, part: { start, end } }] : []
  })
}
