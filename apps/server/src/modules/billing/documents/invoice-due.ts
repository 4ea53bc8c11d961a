import { type Money, money } from '@atoll/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { InvoiceRow } from './document-tables.ts'

/** The figure of `getDue`, minor units, in a query over `invoices`. */
export const dueMinor = sql<number>`(total_minor
  - coalesce((select sum(receivable_minor) from credit_notes where invoice_id = invoices.id), 0))::bigint`

/** What is to be paid of an invoice: its total, less what came off while it was owed. */
export async function getDue(
  db: Db,
  { id, total_minor, currency }: Pick<InvoiceRow, 'id' | 'total_minor' | 'currency'>,
): Promise<Money> {
  const { off } = await db
    .selectFrom('credit_notes')
    .select(({ fn }) => fn.sum<string | null>('receivable_minor').as('off'))
    .where('invoice_id', '=', id)
    .executeTakeFirstOrThrow()
  return money(total_minor - Number(off ?? 0), currency)
}
