import type { Selectable } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import './documents/document-tables.ts'

interface DunningsTable {
  invoice_id: string
  userid: string
  tries: number
  tried_at: Date | null
  past_due_at: Date | null
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    dunnings: DunningsTable
  }
}

export type DunningRow = Selectable<DunningsTable>

export async function insertDunning(trx: Trx, invoice_id: string, userid: string): Promise<void> {
  await trx.insertInto('dunnings').values({ invoice_id, userid, tries: 0, tried_at: null, past_due_at: null }).execute()
}

export async function getDunning(db: Db, invoiceId: string): Promise<DunningRow> {
  return await db.selectFrom('dunnings').selectAll().where('invoice_id', '=', invoiceId).executeTakeFirstOrThrow()
}

export async function updateDunning(
  trx: Trx,
  invoiceId: string,
  change: Partial<Pick<DunningRow, 'tries' | 'tried_at' | 'past_due_at'>>,
): Promise<void> {
  await trx.updateTable('dunnings').set(change).where('invoice_id', '=', invoiceId).execute()
}

/** Invoices of renewals that wait to be paid and have not been given up. */
export async function listOpenDunnings(db: Db, userid: string): Promise<string[]> {
  return (await openDunnings(db, userid).execute()).map(({ id }) => id)
}

/** The query of these, over `dunnings` and `invoices`. */
export function openDunnings(db: Db, userid: string) {
  return (
    db
      .selectFrom('dunnings')
      .innerJoin('invoices', 'invoices.id', 'dunnings.invoice_id')
      .select('invoices.id')
      // By what is open, which has an index: an account has a dunning of every renewal that it ever had.
      .where('invoices.userid', '=', userid)
      .where('invoices.state', '=', 'open')
      .orderBy('issued_at')
      .orderBy('invoices.id')
  )
}

/** Whether the account owes a bill that all tries to collect have failed for: it may not create until that is paid. */
export async function isPastDue(db: Db, userid: string): Promise<boolean> {
  return (await pastDueBills(db, userid).executeTakeFirst()) !== undefined
}

/** The query of one of these. */
export function pastDueBills(db: Db, userid: string) {
  return db
    .selectFrom('dunnings')
    .innerJoin('invoices', 'invoices.id', 'dunnings.invoice_id')
    .select('invoices.id')
    .where('dunnings.userid', '=', userid)
    .where('past_due_at', 'is not', null)
    .where('invoices.state', 'in', ['open', 'uncollectible'])
    .limit(1)
}

/** Which of the items stand on a bill that is past due and not paid, be it given up. */
export async function listOverdueItems(db: Db, items: readonly string[]): Promise<Set<string>> {
  if (items.length === 0) return new Set()
  const rows = await db
    .selectFrom('invoice_items')
    .innerJoin('invoices', 'invoices.id', 'invoice_items.invoice_id')
    .innerJoin('dunnings', 'dunnings.invoice_id', 'invoices.id')
    .select('item_id')
    .where('item_id', 'in', items)
    .where('past_due_at', 'is not', null)
    .where('invoices.state', 'in', ['open', 'uncollectible'])
    .execute()
  return new Set(rows.map(({ item_id }) => item_id))
}
