import type { Period } from '@atoll/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { type PlanTerms, parseTerms, termsOf } from '../../catalog/index.ts'
import { planTermsOf } from '../records/own-plan.ts'

/** A part of a period during which the account was on one plan. */
export interface PlanSpan {
  itemId: string
  priceId: string
  terms: PlanTerms
  part: Period
}

/** The plans of a subscription within a period, in their order: usage is cut where one took the place of another. */
export async function listPlanSpans(db: Db, subscriptionId: string, period: Period): Promise<PlanSpan[]> {
  const items = await db
    .selectFrom('subscription_items')
    .selectAll()
    .select(termsOf(sql.ref('price_id')).as('terms'))
    .where('subscription_id', '=', subscriptionId)
    .where('began_at', '<', period.end)
    .where(({ or, eb }) => or([eb('ended_at', 'is', null), eb('ended_at', '>', period.start)]))
    .orderBy('began_at')
    .orderBy('created_at')
    .execute()
  return items.flatMap(({ id: itemId, price_id: priceId, terms, began_at, ended_at }) => {
    const start = later(began_at ?? period.start, period.start)
    const end = ended_at && ended_at < period.end ? ended_at : period.end
    return start < end ? [{ itemId, priceId, terms: planTermsOf(parseTerms(terms)), part: { start, end } }] : []
  })
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b
}
