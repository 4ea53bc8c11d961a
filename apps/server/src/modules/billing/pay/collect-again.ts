import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { InvoiceRow } from '../records/documents/document-tables.ts'
import { retryOwed } from '../records/retry-owed.ts'
import { enqueueAccount } from '../schedule/due-jobs.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import { dropDue, scheduleDue } from '../schedule/due-store.ts'

/**
 * More of an invoice is owed again, whatever it was for. One that was paid is collected as a renewal's is, from its
 * first try on, and nothing is due any more of a time before; one that is collected already is tried at once.
 * Under the account's lock; `at` is time of the account, `state` that of before.
 */
export async function collectAgain(trx: Trx, { id, userid, state }: InvoiceRow, at: Date): Promise<void> {
  if (state === 'open') return await retryOwed(trx, userid, at)
  for (const kind of [dueKinds.graceOver, dueKinds.graceMail]) await dropDue(trx, { userid, kind, object: id })
  const begun = { tries: 0, tried_at: null, past_due_at: null }
  await trx
    .insertInto('dunnings')
    .values({ invoice_id: id, userid, ...begun })
    .onConflict((conflict) => conflict.column('invoice_id').doUpdateSet(begun))
    .execute()
  await scheduleDue(trx, { userid, kind: dueKinds.renewalTry, object: id, dueAt: at })
  await enqueueAccount(trx, userid)
  await publishChange(trx, { account: userid, topic: 'billing', id })
}
