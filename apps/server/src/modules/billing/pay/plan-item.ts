import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { keepPrice, type PlanTerms } from '../../catalog/index.ts'
import type { SubscriptionRow } from '../records/documents/document-tables.ts'
import { insertSubscriptionItems, type SoldItem } from '../records/documents/subscription-store.ts'

/** The item of a plan under its subscription, unpaid. */
export async function insertPlanItem(
  trx: Trx,
  { id: subscription_id, userid }: Pick<SubscriptionRow, 'id' | 'userid'>,
  terms: PlanTerms,
  at: Date,
): Promise<SoldItem> {
  const id = newId('si')
  const price_id = await keepPrice(trx, terms, at)
  const item = { id, userid, subscription_id, instance_id: null, price_id, created_at: at }
  const [written] = await insertSubscriptionItems(trx, [item])
  if (!written) throw new Error(`The item ${id} was not written`)
  return { ...written, cluster_id: null }
}
