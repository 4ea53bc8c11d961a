/**
 * A suspension pauses collecting: bills of suspended accounts or clusters are not tried, and nothing ends for not
 * paying them, until the release. If the reason of the suspension is that a bill is unpaid, collecting goes on.
 */
import type { Trx } from '../../../platform/db/index.ts'
import { listHolds } from '../../accounts/index.ts'
import { dueKinds, graceMailDays } from '../schedule/due-kinds.ts'
import { scheduleDue } from '../schedule/due-store.ts'
import type { InvoiceRow } from './documents/document-tables.ts'
import { getDunning, listOpenDunnings } from './dunning-store.ts'

const dayMs = 86_400_000

/** Whether collecting this bill waits for a suspension to be released. */
export async function isHeldUp(trx: Trx, { id, userid }: Pick<InvoiceRow, 'id' | 'userid'>): Promise<boolean> {
  const holds = (await listHolds(trx, userid)).filter(
    // Of an account that closes, what it still owes is collected.
    ({ reason }) => reason !== 'unpaid' && reason !== 'closing',
  )
  const clusterIds = holds.flatMap(({ cluster_id }) => (cluster_id === null ? [] : [cluster_id]))
  if (clusterIds.length < holds.length) return true
  if (clusterIds.length === 0) return false
  const onIt = await trx
    .selectFrom('invoice_items')
    .innerJoin('subscription_items', 'subscription_items.id', 'invoice_items.item_id')
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_items.subscription_id')
    .select('subscriptions.id')
    .where('invoice_items.invoice_id', '=', id)
    .where('subscriptions.cluster_id', 'in', clusterIds)
    .limit(1)
    .executeTakeFirst()
  return onIt !== undefined
}

/** Bills that are not collected for now. */
export async function listHeldUp(trx: Trx, userid: string): Promise<string[]> {
  const held: string[] = []
  for (const id of await listOpenDunnings(trx, userid)) if (await isHeldUp(trx, { id, userid })) held.push(id)
  return held
}

/**
 * Resumes those of these bills that are no longer held up: their days of grace are as many as were left at `since`.
 * Under the account's lock; both are time of the account.
 */
export async function resumeBills(
  trx: Trx,
  { userid, bills, since, at }: { userid: string; bills: readonly string[]; since: Date; at: Date },
): Promise<void> {
  for (const id of bills) {
    const { past_due_at: pastDueAt } = await getDunning(trx, id)
    if (pastDueAt === null || (await isHeldUp(trx, { id, userid }))) continue
    const grace = await trx
      .selectFrom('due_items')
      .select('due_at')
      .where('userid', '=', userid)
      .where('kind', '=', dueKinds.graceOver)
      .where('object', '=', id)
      .executeTakeFirst()
    if (!grace) continue
    const lostMs = Math.max(0, at.getTime() - Math.max(since.getTime(), pastDueAt.getTime()))
    const dueAt = new Date(grace.due_at.getTime() + lostMs)
    const mailAt = new Date(Math.max(at.getTime(), dueAt.getTime() - graceMailDays[0] * dayMs))
    const mail = { userid, kind: dueKinds.graceMail, object: id, dueAt: mailAt }
    await scheduleDue(trx, { userid, kind: dueKinds.graceOver, object: id, dueAt }, mail)
  }
}
