import { type Money, money } from '@atoll/money'
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/index.ts'
import type { InvoiceRow } from './document-tables.ts'

/**
 * The figure of `getDue`, minor units, in a query over `invoices`: its total, less what came off while it was owed; and
 * where a bank took back for good what had paid it, that, less what has paid it until now.
 */
export const dueMinor = sql<number>`(total_minor
  - coalesce((select sum(receivable_minor) from credit_notes where invoice_id = invoices.id), 0)
  + case when reopened = 0 then 0 else lost_minor - coalesce((
      select sum(promo_minor + balance_minor + rolled_minor + card_minor - collected_minor) from payments
      where payments.invoice_id = invoices.id and payments.state = 'succeeded'), 0) end)::bigint`

/** The amount due on an invoice. */
export async function getDue(db: Db, { id, currency }: Pick<InvoiceRow, 'id' | 'currency'>): Promise<Money> {
  const { due } = await db
    .selectFrom('invoices')
    .select(dueMinor.as('due'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return money(Number(due), currency)
}
