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
  /** The plan that the account has and pays for. */
  current?: SoldPlan
  /** A higher one that waits for its payment. */
  waiting?: SoldPlan & { invoice: InvoiceRow }
}

/** As it is under the account's lock. */
export async function readOwnPlan(db: Db, userid: string): Promise<OwnPlan> {
  const subscription = await findPlanSubscription(db, userid)
  if (!subscription) return {}
  const items = await db
    .selectFrom('subscription_items')
    .selectAll()
    .select(termsOf(sql.ref('price_id')).as('sold'))
    .where('subscription_id', '=', subscription.id)
    .where('state', 'in', ['unpaid', 'active', 'past_due'])
    .execute()
  const sold = items.map(({ sold: terms, ...item }) => ({ item, terms: planTermsOf(parseTerms(terms)) }))
  const current = sold.find(({ item }) => item.state !== 'unpaid')
  const unpaid = sold.find(({ item }) => item.state === 'unpaid')
  const invoice = unpaid && (await getOpenInvoice(db, unpaid.item.id))
  return { subscription, ...(current && { current }), ...(unpaid && invoice && { waiting: { ...unpaid, invoice } }) }
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
