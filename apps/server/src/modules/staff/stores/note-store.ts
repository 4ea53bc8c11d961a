import type { Generated } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface CustomerNotesTable {
  number: Generated<number>
  account_id: string
  written_by: string
  text: string
  at: Date
}

/** Why a staff member opened a customer, for a day. */
interface SupportLooksTable {
  staff_id: string
  account_id: string
  reason: string
  begun_at: Date
  recorded_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    customer_notes: CustomerNotesTable
    support_looks: SupportLooksTable
  }
}

export async function insertNote(
  trx: Trx,
  note: { account_id: string; written_by: string; text: string; at: Date },
): Promise<void> {
  await trx.insertInto('customer_notes').values(note).execute()
}

/** The newest notes about a customer, the newest first. */
export async function listNotes(db: Db, accountId: string) {
  return await db
    .selectFrom('customer_notes')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('number', 'desc')
    .limit(50)
    .execute()
}

type Pair = { staff_id: string; account_id: string }

export async function findLook(db: Db, { staff_id, account_id }: Pair) {
  return await db
    .selectFrom('support_looks')
    .selectAll()
    .where('staff_id', '=', staff_id)
    .where('account_id', '=', account_id)
    .executeTakeFirst()
}

export async function putLook(trx: Trx, look: Pair & { reason: string; at: Date; recordedAt: Date }): Promise<void> {
  const { at, reason, recordedAt, ...pair } = look
  const facts = { reason, begun_at: at, recorded_at: recordedAt }
  await trx
    .insertInto('support_looks')
    .values({ ...pair, ...facts })
    .onConflict((conflict) => conflict.columns(['staff_id', 'account_id']).doUpdateSet(facts))
    .execute()
}

/** Notes an opening without a reason: what was said of an earlier one stays. False within the time before. */
export async function putOpening(trx: Trx, pair: Pair, { at, before }: { at: Date; before: Date }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('support_looks')
    .values({ ...pair, reason: '', begun_at: new Date(0), recorded_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['staff_id', 'account_id'])
        .doUpdateSet({ recorded_at: at })
        .where('support_looks.recorded_at', '<', before),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Notes that a look is recorded at `at`; false where it was within the time before. */
export async function renewLook(trx: Trx, pair: Pair, { at, before }: { at: Date; before: Date }): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('support_looks')
    .set({ recorded_at: at })
    .where('staff_id', '=', pair.staff_id)
    .where('account_id', '=', pair.account_id)
    .where('recorded_at', '<', before)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
