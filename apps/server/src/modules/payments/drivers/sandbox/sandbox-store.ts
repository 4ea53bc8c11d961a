import type { DeclineCode } from '@atoll/contract/payments'
import type { Locale } from '@atoll/contract/wire'
import { type Currency, type Money, money } from '@atoll/money'
import type { Generated, Selectable } from 'kysely'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import type { Charging } from './test-numbers.ts'

interface SandboxCardsTable {
  id: string
  customer: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  charging: Charging
  /** HMAC of its number; null: from before it was kept. */
  fingerprint: Generated<string | null>
  detached_at: Generated<Date | null>
}
export type SandboxCard = Selectable<SandboxCardsTable>

interface SandboxSetupsTable {
  setup_id: string
  ref: string
  customer: string
  locale: Locale
  return_url: string
  state: 'open' | 'done' | 'canceled'
  card_id: Generated<string | null>
  expires_at: Date
}
export type SandboxSetup = Selectable<SandboxSetupsTable>

interface SandboxPaymentsTable {
  payment_id: string
  ref: string
  card_id: string
  amount_minor: number
  currency: Currency
  description: string
  /** The document that it pays; null for payments from before this was stored. */
  document: string | null
  number: string | null
  period: string | null
  locale: Locale
  return_url: string
  state: 'open' | 'action' | 'done' | 'declined' | 'canceled'
  code: Generated<DeclineCode | null>
  action_until: Generated<Date | null>
  created_at: Date
}
export type SandboxPayment = Selectable<SandboxPaymentsTable>

interface SandboxRefundsTable {
  /** Null: made without us, as in a dashboard. */
  refund_id: string | null
  ref: string
  payment_ref: string
  amount_minor: number
  created_at: Date
  /** From when on it has failed. */
  fails_at: Date | null
}
export type SandboxRefund = Selectable<SandboxRefundsTable>

interface SandboxDisputesTable {
  ref: string
  payment_ref: string
  amount_minor: number
  state: 'open' | 'won' | 'lost'
  /** Nobody decided it by then: it is lost. */
  due_by: Date
  created_at: Date
}
export type SandboxDispute = Selectable<SandboxDisputesTable>

declare module '../../../../platform/db/index.ts' {
  interface Tables {
    sandbox_cards: SandboxCardsTable
    sandbox_setups: SandboxSetupsTable
    sandbox_payments: SandboxPaymentsTable
    sandbox_refunds: SandboxRefundsTable
    sandbox_disputes: SandboxDisputesTable
  }
}

export async function insertSetup(db: Db, setup: Omit<SandboxSetup, 'card_id' | 'state'>): Promise<void> {
  await db
    .insertInto('sandbox_setups')
    .values({ ...setup, state: 'open' })
    .onConflict((on) => on.column('setup_id').doNothing())
    .execute()
}

export async function findSetup(db: Db | Trx, setupId: string): Promise<SandboxSetup | undefined> {
  return await db.selectFrom('sandbox_setups').selectAll().where('setup_id', '=', setupId).executeTakeFirst()
}

/** Ends a page that is open; false when it had ended. */
export async function endSetup(
  trx: Trx,
  end: { setupId: string; state: 'done' | 'canceled'; cardId: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('sandbox_setups')
    .set({ state: end.state, card_id: end.cardId })
    .where('setup_id', '=', end.setupId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function insertCard(
  trx: Trx,
  card: Omit<SandboxCard, 'detached_at' | 'fingerprint'> & Partial<Pick<SandboxCard, 'fingerprint'>>,
): Promise<void> {
  await trx.insertInto('sandbox_cards').values(card).execute()
}

export async function findCard(db: Db | Trx, id: string): Promise<SandboxCard | undefined> {
  return await db.selectFrom('sandbox_cards').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function detachCard(db: Db, id: string, at: Date): Promise<void> {
  await db
    .updateTable('sandbox_cards')
    .set({ detached_at: at })
    .where('id', '=', id)
    .where('detached_at', 'is', null)
    .execute()
}

export async function insertPayment(
  trx: Trx,
  payment: Omit<SandboxPayment, 'state' | 'code' | 'action_until'>,
): Promise<void> {
  await trx
    .insertInto('sandbox_payments')
    .values({ ...payment, state: 'open' })
    .onConflict((on) => on.column('payment_id').doNothing())
    .execute()
}

/** The row, locked until `trx` ends: one at a time decides about a payment. */
export async function lockPayment(trx: Trx, paymentId: string): Promise<SandboxPayment | undefined> {
  return await trx
    .selectFrom('sandbox_payments')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .forUpdate()
    .executeTakeFirst()
}

export async function lockPaymentByRef(trx: Trx, ref: string): Promise<SandboxPayment | undefined> {
  return await trx.selectFrom('sandbox_payments').selectAll().where('ref', '=', ref).forUpdate().executeTakeFirst()
}

export async function findPayment(db: Db, paymentId: string): Promise<SandboxPayment | undefined> {
  return await db.selectFrom('sandbox_payments').selectAll().where('payment_id', '=', paymentId).executeTakeFirst()
}

export async function updatePayment(
  trx: Trx,
  paymentId: string,
  to: Partial<Pick<SandboxPayment, 'state' | 'code' | 'action_until'>>,
): Promise<void> {
  await trx.updateTable('sandbox_payments').set(to).where('payment_id', '=', paymentId).execute()
}

/** Payments that were taken, in the order of their refs, with who paid. */
export async function listTaken(
  db: Db,
  { after, customer, most }: { after: string; customer: string | undefined; most: number },
): Promise<(SandboxPayment & { customer: string })[]> {
  let query = db
    .selectFrom('sandbox_payments')
    .innerJoin('sandbox_cards', 'sandbox_cards.id', 'card_id')
    .selectAll('sandbox_payments')
    .select('customer')
    .where('state', '=', 'done')
    .where('ref', '>', after)
  if (customer !== undefined) query = query.where('customer', '=', customer)
  return await query.orderBy('ref').limit(most).execute()
}

export async function listRefunds(db: Db | Trx, paymentRef: string): Promise<SandboxRefund[]> {
  return await db.selectFrom('sandbox_refunds').selectAll().where('payment_ref', '=', paymentRef).execute()
}

export async function insertRefund(trx: Trx, refund: SandboxRefund): Promise<void> {
  await trx.insertInto('sandbox_refunds').values(refund).execute()
}

export async function listDisputes(db: Db | Trx, paymentRef: string): Promise<SandboxDispute[]> {
  return await db.selectFrom('sandbox_disputes').selectAll().where('payment_ref', '=', paymentRef).execute()
}

export async function insertDispute(trx: Trx, dispute: Omit<SandboxDispute, 'state'>): Promise<void> {
  await trx
    .insertInto('sandbox_disputes')
    .values({ ...dispute, state: 'open' })
    .execute()
}

/** Refs of payments of which something moved since then, in order. */
export async function listMovedPayments(
  db: Db,
  { since, after, most }: { since: Date; after: string; most: number },
): Promise<string[]> {
  const of = (table: 'sandbox_refunds' | 'sandbox_disputes') =>
    db.selectFrom(table).select('payment_ref').where('created_at', '>=', since).where('payment_ref', '>', after)
  const rows = await of('sandbox_refunds').union(of('sandbox_disputes')).orderBy('payment_ref').limit(most).execute()
  return rows.map(({ payment_ref }) => payment_ref)
}

export function amountOf(payment: SandboxPayment): Money {
  return money(payment.amount_minor, payment.currency)
}

/** Whom a webhook is about, as the gateway knows them: its customer. */
export async function findCustomerOf(
  db: Db,
  { kind, id }: { kind: 'payment' | 'setup' | 'movements'; id: string },
): Promise<string | undefined> {
  if (kind === 'setup') {
    const setup = await db.selectFrom('sandbox_setups').select('customer').where('setup_id', '=', id).executeTakeFirst()
    return setup?.customer
  }
  const charged = await db
    .selectFrom('sandbox_payments')
    .innerJoin('sandbox_cards', 'sandbox_cards.id', 'sandbox_payments.card_id')
    .select('sandbox_cards.customer')
    .where(kind === 'payment' ? 'payment_id' : 'ref', '=', id)
    .executeTakeFirst()
  return charged?.customer
}
