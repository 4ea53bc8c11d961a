/** What staff see of a customer's money, as parts of a query over accounts. Minor units of the account's currency. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { termsOf } from '../../catalog/index.ts'
import { balances } from '../../ledger/index.ts'
import { dueMinor } from '../records/documents/invoice-due.ts'
import '../records/documents/document-tables.ts'

type Userid = Expression<unknown>

/** What waits to be paid. */
export function owedOf(userid: Userid): RawBuilder<number> {
  return sql<number>`(select coalesce(sum(${dueMinor}), 0)::bigint from invoices
    where invoices.userid = ${userid} and invoices.state in ('open', 'uncollectible'))`
}

/** Credit: more than zero is the customer's. */
export function creditOf(userid: Userid): RawBuilder<number> {
  return sql<number>`coalesce((select -balance_minor from ${balances} balance
    where balance.book = ${userid} and balance.account = 'cash'), 0)::bigint`
}

/** What plan and instances cost a month, at the price they were sold for, without usage. */
export function monthlyOf(userid: Userid): RawBuilder<number> {
  return sql<number>`(select coalesce(sum((${termsOf(sql.ref('item.price_id'))}::json ->> 'amount')::bigint), 0)::bigint
    from subscription_items item where item.userid = ${userid} and item.state in ('active', 'past_due'))`
}

/** Whether all tries to collect a bill have failed. */
export function pastDueOf(userid: Userid): RawBuilder<boolean> {
  return sql<boolean>`exists (select from dunnings join invoices on invoices.id = dunnings.invoice_id
    where dunnings.userid = ${userid} and past_due_at is not null and invoices.state in ('open', 'uncollectible'))`
}

/** Whose invoice has this number: a query of one userid, or none. */
export function ownerOfInvoice(number: string): RawBuilder<string> {
  return sql<string>`(select userid from invoices where number = ${number})`
}

/** What was paid so far, and by how many invoices. */
export async function readPaid(db: Db, userid: string): Promise<{ paid: number; invoices: number; disputed: number }> {
  const { rows } = await sql<{ paid: number; invoices: number; disputed: number }>`
    select (select coalesce(sum(promo_minor + balance_minor + rolled_minor + card_minor - collected_minor), 0)::bigint
        from payments where userid = ${userid} and state = 'succeeded') as paid,
      (select count(*)::bigint from invoices where userid = ${userid}) as invoices,
      (select coalesce(sum(withdrawn_minor - lost_minor - lost_cash_minor), 0)::bigint from disputes
        where userid = ${userid} and state = 'open') as disputed`.execute(db)
  return rows[0] ?? { paid: 0, invoices: 0, disputed: 0 }
}

export async function listNewestInvoices(db: Db, userid: string, most: number) {
  return await db
    .selectFrom('invoices')
    .select(['id', 'number', 'kind', 'state', 'total_minor', 'currency', 'issued_at'])
    .where('userid', '=', userid)
    .orderBy('issued_at', 'desc')
    .orderBy('number', 'desc')
    .limit(most)
    .execute()
}

/** Payments by card, the newest first, with what of each may go back to it. */
export async function listCardPayments(db: Db, userid: string, most: number) {
  return await db
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.id', 'payments.invoice_id')
    .select(['payments.id', 'invoices.number', 'payments.card_minor', 'payments.currency', 'payments.created_at'])
    .select(
      sql<number>`greatest(0, payments.card_minor - coalesce((select sum(amount_minor) from card_refunds
        where card_refunds.payment_id = payments.id and card_refunds.state in ('pending', 'done')), 0)
        - coalesce((select sum(withdrawn_minor) from disputes where disputes.payment_id = payments.id), 0))::bigint`.as(
        'refundable',
      ),
    )
    .where('payments.userid', '=', userid)
    .where('payments.state', '=', 'succeeded')
    .where('payments.card_minor', '>', 0)
    .orderBy('payments.created_at', 'desc')
    .limit(most)
    .execute()
}
