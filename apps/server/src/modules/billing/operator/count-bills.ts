import type { Db } from '../../../platform/db/index.ts'
import '../records/dunning-store.ts'
import '../records/documents/document-tables.ts'

/**
 * Figures that an operator monitors: open invoices, those for which every attempt to collect has failed, and payments
 * whose outcome the gateway has not told.
 */
export async function countBills(db: Db): Promise<{ open: number; overdue: number; unknown: number }> {
  const row = await db
    .selectNoFrom((from) => [
      from
        .selectFrom('invoices')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', '=', 'open')
        .as('open'),
      from
        .selectFrom('dunnings')
        .innerJoin('invoices', 'invoices.id', 'dunnings.invoice_id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('past_due_at', 'is not', null)
        .where('state', '=', 'open')
        .as('overdue'),
      from
        .selectFrom('payments')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', '=', 'unknown')
        .as('unknown'),
    ])
    .executeTakeFirstOrThrow()
  return { open: Number(row.open), overdue: Number(row.overdue), unknown: Number(row.unknown) }
}
