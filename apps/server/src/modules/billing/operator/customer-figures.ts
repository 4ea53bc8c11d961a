/** A customer's money as staff see it, as parts of a query over accounts. Minor units of the account's currency. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { soldAmounts, termsOf } from '../../catalog/index.ts'
import { balances } from '../../ledger/index.ts'
import { dueMinor } from '../records/documents/invoice-due.ts'
import '../records/documents/document-tables.ts'

type Userid = Expression<unknown>

/** A figure as a table of another query, without the accounts that have none. */
export type Amounts = RawBuilder<{ userid: string; amount: number }>

/** The amount due on unpaid invoices. */
export function owedOf(userid: Userid): RawBuilder<number> {
  return sql<number>`(select coalesce(sum(${dueMinor}), 0)::bigint from invoices
    where invoices.userid = ${userid} and invoices.state in ('open', 'uncollectible'))`
}

export const owedAmounts: Amounts = sql`(select userid, sum(${dueMinor})::bigint as amount from invoices
  where state in ('open', 'uncollectible') group by userid)`

/** Credit: more than zero is the customer's. */
export function creditOf(userid: Userid): RawBuilder<number> {
  return sql<number>`coalesce((select -balance_minor from ${balances} balance
    where balance.book = ${userid} and balance.account = 'cash'), 0)::bigint`
}

export const creditAmounts: Amounts = sql`(select book as userid, -balance_minor as amount from ${balances} balance
  where account = 'cash')`

/** Monthly cost of the plan and instances, at the prices they were sold for, without usage. */
export function monthlyOf(userid: Userid): RawBuilder<number> {
  return sql<number>`(select coalesce(sum((${termsOf(sql.ref('item.price_id'))}::json ->> 'amount')::bigint), 0)::bigint
    from subscription_items item where item.userid = ${userid} and item.state in ('active', 'past_due'))`
}

export const monthlyAmounts: Amounts = sql`(select item.userid, sum(price.amount)::bigint as amount
  from subscription_items item join ${soldAmounts} price on price.id = item.price_id
  where item.state in ('active', 'past_due') group by item.userid)`

/** Whether all tries to collect a bill have failed. */
export function pastDueOf(userid: Userid): RawBuilder<boolean> {
  return sql<boolean>`exists (select from dunnings join invoices on invoices.id = dunnings.invoice_id
    where dunnings.userid = ${userid} and past_due_at is not null and invoices.state in ('open', 'uncollectible'))`
}

/** Whose invoice has this number: a query of one userid, or none. */
export function ownerOfInvoice(number: string): RawBuilder<string> {
  return sql<string>`(select userid from invoices where number = ${number})`
}

export function ownerOfPayment(id: string): RawBuilder<string> {
  return sql<string>`(select userid from payments where id = ${id})`
}

/** The amount paid so far, the number of invoices, and the amount disputed. */
export async function readPaid(db: Db, userid: string): Promise<{ paid: number; invoices: number; disputed: number }> {
  const { rows } = await sql<{ paid: number; invoices: number; disputed: number }>`
    select (select coalesce(sum(promo_minor + balance_minor + rolled_minor + card_minor - collected_minor), 0)::bigint
        from payments where userid = ${userid} and state = 'succeeded') as paid,
      (select count(*)::bigint from invoices where userid = ${userid}) as invoices,
      (select coalesce(sum(withdrawn_minor - lost_minor - lost_cash_minor), 0)::bigint from disputes
        where userid = ${userid} and state = 'open') as disputed`.execute(db)
  return rows[0] ?? { paid: 0, invoices: 0, disputed: 0 }
}

/**
 * Whether a bill can be written off: an order cannot, because it lapses automatically, unless a bank took its payment
 * back.
 */
const mayWriteOff = sql<boolean>`(state = 'open' and (kind in ('renewal', 'usage') or reopened > 0))`

export async function listNewestInvoices(db: Db, userid: string, most: number) {
  return await db
    .selectFrom('invoices')
    .select(['id', 'number', 'kind', 'state', 'total_minor', 'currency', 'issued_at', dueMinor.as('due')])
    .select(mayWriteOff.as('may_write_off'))
    .where('userid', '=', userid)
    .orderBy('issued_at', 'desc')
    .orderBy('number', 'desc')
    .limit(most)
    .execute()
}

/**
 * Payments by card or balance, newest first, with the amounts that can be refunded of each: to its card, and in total.
 */
export async function listPaidPayments(db: Db, userid: string, most: number) {
  return await db
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.id', 'payments.invoice_id')
    .select(['payments.id', 'invoices.number', 'payments.card_minor', 'payments.currency', 'payments.created_at'])
    .select([
      sql<number>`greatest(0, payments.card_minor - coalesce((select sum(amount_minor) from card_refunds
        where card_refunds.payment_id = payments.id and card_refunds.state in ('pending', 'done')), 0)
        - coalesce((select sum(withdrawn_minor) from disputes where disputes.payment_id = payments.id), 0))::bigint`.as(
        'to_card',
      ),
      // Neither usage, nor what promotional credit paid.
      sql<number>`(case when invoices.payment_id = payments.id then greatest(0, coalesce((
          select sum(amount_minor - discount_minor) from invoice_items
          where invoice_items.invoice_id = invoices.id and revenue <> 'usage'), 0) - payments.promo_minor
        - coalesce((select sum(cash_minor + receivable_minor) from credit_notes
          where credit_notes.invoice_id = invoices.id), 0)) else 0 end)::bigint`.as('creditable'),
    ])
    .where('payments.userid', '=', userid)
    .where('payments.state', '=', 'succeeded')
    .where(({ or, eb }) => or([eb('payments.card_minor', '>', 0), eb('payments.balance_minor', '>', 0)]))
    .orderBy('payments.created_at', 'desc')
    .limit(most)
    .execute()
}
