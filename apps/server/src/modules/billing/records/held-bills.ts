/**
 * A suspension pauses collecting: bills of suspended accounts or clusters are not tried, and nothing ends for not
 * paying them, until the release. If the reason of the suspension is that a bill is unpaid, collecting goes on.
 */
import { sql } from 'kysely'
import type { Trx } from '../../../platform/db/index.ts'
import { pausesBill } from '../../accounts/index.ts'
import { dueKinds, graceMailDays } from '../schedule/due-kinds.ts'
import { scheduleDue } from '../schedule/due-store.ts'
import type { InvoiceRow } from './documents/document-tables.ts'
import { getDunning, openDunnings } from './dunning-store.ts'

const dayMs = 86_400_000

/** In a query over `invoices`: whether collecting the bill waits for a suspension to be released. */
export const heldUp = pausesBill(
  sql.ref('invoices.userid'),
  sql`(select sub.cluster_id from invoice_items line join subscription_items item on item.id = line.item_id
    join subscriptions sub on sub.id = item.subscription_id where line.invoice_id = invoices.id)`,
)

export async function isHeldUp(trx: Trx, { id, userid }: Pick<InvoiceRow, 'id' | 'userid'>): Promise<boolean> {
  const found = trx.selectFrom('invoices').select(heldUp.as('held')).where('id', '=', id).where('userid', '=', userid)
  return (await found.executeTakeFirst())?.held === true
}

/** Bills that are not collected for now. */
export async function listHeldUp(trx: Trx, userid: string): Promise<string[]> {
  const rows = await openDunnings(trx, userid).where(heldUp).execute()
  return rows.map(({ id }) => id)
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
