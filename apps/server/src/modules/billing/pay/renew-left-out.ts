import type { Trx } from '../../../platform/db/index.ts'
import { estimateInstant } from '../pricing/estimate-token.ts'
import type { InvoiceRow } from '../records/documents/document-tables.ts'
import { enqueueAccount } from '../schedule/due-jobs.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import { scheduleDue } from '../schedule/due-store.ts'

/**
 * A card is found at `at`, time of the account, to have paid an order of instances whose time is over. Where their
 * cluster was renewed meanwhile, which left them out, they are renewed for what is left of its period from then on.
 */
export async function renewLeftOut(trx: Trx, { id, userid }: InvoiceRow, at: Date): Promise<void> {
  const renewed = await trx
    .selectFrom('invoice_items')
    .innerJoin('subscription_items', 'subscription_items.id', 'invoice_items.item_id')
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_items.subscription_id')
    .select(['subscriptions.id', 'subscriptions.period_start'])
    .distinct()
    .where('invoice_id', '=', id)
    .whereRef('subscriptions.period_start', '>=', 'invoice_items.period_end')
    .execute()
  const from = estimateInstant(at)
  for (const { id: object, period_start: start } of renewed) {
    await scheduleDue(trx, { userid, kind: dueKinds.renewal, object, dueAt: start > from ? start : from })
  }
  if (renewed.length > 0) await enqueueAccount(trx, userid)
}
