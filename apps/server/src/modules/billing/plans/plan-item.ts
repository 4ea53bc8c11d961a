import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { keepPrice, type PlanTerms } from '../../catalog/index.ts'
import type { SubscriptionItemRow, SubscriptionRow } from '../documents/document-tables.ts'
import { insertSubscriptionItems, listItems } from '../documents/subscription-store.ts'

/** The item of a plan under its subscription, unpaid. */
export async function insertPlanItem(
  trx: Trx,
  { id: subscription_id, userid }: Pick<SubscriptionRow, 'id' | 'userid'>,
  terms: PlanTerms,
  at: Date,
): Promise<SubscriptionItemRow> {
  const id = newId('si')
  const price_id = await keepPrice(trx, terms, at)
  await insertSubscriptionItems(trx, [{ id, userid, subscription_id, instance_id: null, price_id, created_at: at }])
  const [item] = await listItems(trx, { ids: [id] })
  if (!item) throw new Error(`The item ${id} was not written`)
  return item
}
