import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { type PlanTerms, parseTerms, termsOf } from '../../catalog/index.ts'
import type { InvoiceRow, SubscriptionItemRow, SubscriptionRow } from './documents/document-tables.ts'
import { findPlanSubscription } from './documents/subscription-store.ts'

/** A plan as it was sold to somebody. */
export interface SoldPlan {
  item: SubscriptionItemRow
  terms: PlanTerms
}

/** The plan of an account; nothing of it on Free. */
export interface OwnPlan {
  subscription?: SubscriptionRow
  /** All that was ever sold of the subscription. */
  sold?: readonly SoldPlan[]
  /** The plan that the account has and pays for. */
  current?: SoldPlan
  /** A higher one that waits for its payment. */
  waiting?: SoldPlan & { invoice: InvoiceRow }
}

/** As it is under the account's lock. */
export async function readOwnPlan(db: Db, userid: string): Promise<OwnPlan> {
  const subscription = await findPlanSubscription(db, userid)
  if (!subscription) return {}
  const sold = await listSoldPlans(db, subscription.id)
  const current = sold.find(({ item: { state } }) => state === 'active' || state === 'past_due')
  const unpaid = sold.find(({ item }) => item.state === 'unpaid')
  const invoice = unpaid && (await getOpenInvoice(db, unpaid.item.id))
  const waiting = unpaid && invoice && { ...unpaid, invoice }
  return { subscription, sold, ...(current && { current }), ...(waiting && { waiting }) }
}

/** The plans of a subscription in the order in which they began, with those that ended or were never paid. */
export async function listSoldPlans(db: Db, subscriptionId: string): Promise<SoldPlan[]> {
  const items = await db
    .selectFrom('subscription_items')
    .selectAll()
    .select(termsOf(sql.ref('price_id')).as('sold'))
    .where('subscription_id', '=', subscriptionId)
    .orderBy('began_at')
    .orderBy('created_at')
    .execute()
  return items.map(({ sold, ...item }) => ({ item, terms: planTermsOf(parseTerms(sold)) }))
}

export function planTermsOf(terms: { kind: string } | undefined): PlanTerms {
  if (terms?.kind !== 'plan') throw new Error('What a plan was sold as is no plan')
  return terms as PlanTerms // by its kind
}

async function getOpenInvoice(db: Db, itemId: string): Promise<InvoiceRow> {
  return await db
    .selectFrom('invoices')
    .selectAll('invoices')
    .innerJoin('invoice_items', 'invoice_items.invoice_id', 'invoices.id')
    .where('invoice_items.item_id', '=', itemId)
    .where('invoices.state', '=', 'open')
    .executeTakeFirstOrThrow()
}
