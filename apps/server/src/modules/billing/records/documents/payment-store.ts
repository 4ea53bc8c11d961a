import { sql } from 'kysely'
import { derivedId } from '../../../../platform/crypto.ts'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { sumPosted } from '../../../ledger/index.ts'
import { copyCard } from './document-copies.ts'
import type { PaymentRow } from './document-tables.ts'
import { isEnd, type PaymentEvent, paymentTransitions, requireState } from './states.ts'

type GatewayColumns =
  | 'gateway_ref'
  | 'decline_code'
  | 'action_url'
  | 'canceling_for'
  | 'unanswered'
  | 'sends'
  | 'captured_as'

/** States of payments of which nothing comes any more. */
const ended = ['succeeded', 'declined', 'canceled'] as const

export type NewPayment = Omit<PaymentRow, 'state' | 'ended_at' | GatewayColumns>

/** Writes a payment that begins, or that succeeded at `paidAt` because no card has anything to pay. */
export async function insertPayment(trx: Trx, payment: NewPayment, paidAt: Date | null = null): Promise<PaymentRow> {
  const state = paidAt ? requireState(paymentTransitions, 'created', 'succeeded') : 'created'
  const { id, userid, method_id } = payment
  return await trx
    .with('copied', () => copyCard({ id, userid, method_id }))
    .insertInto('payments')
    .values({ ...payment, state, ended_at: paidAt, gateway_ref: null, decline_code: null, action_url: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** How often it was tried to pay an invoice. */
export async function countPayments(db: Db, invoiceId: string): Promise<number> {
  const { count } = await paymentCount(db).where('invoice_id', '=', invoiceId).executeTakeFirstOrThrow()
  return count
}

/** The same, to be part of another query. */
export function paymentCount(db: Db) {
  return db.selectFrom('payments').select(({ fn }) => fn.countAll<number>().as('count'))
}

/** The id of the next payment of a document: from the document, and how many there are before it. */
export function nextPaymentId(invoiceId: string, before: number): string {
  return derivedId('pay', invoiceId, String(before + 1))
}

export async function getPayment(db: Db, userid: string, id: string): Promise<PaymentRow> {
  return await db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', id)
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow()
}

/** Of anybody; undefined where the gateway reports a payment that is not ours. */
export async function findPayment(db: Db, id: string): Promise<PaymentRow | undefined> {
  return await db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * The payments that paid an invoice, one for each time that it was owed; the one with the most promotional credit
 * first.
 */
export async function listSucceeded(db: Db, invoiceId: string): Promise<PaymentRow[]> {
  return await db
    .selectFrom('payments')
    .selectAll()
    .where('invoice_id', '=', invoiceId)
    .where('state', '=', 'succeeded')
    .orderBy('promo_minor', 'desc')
    .orderBy('round')
    .execute()
}

/** By the gateway's ref of what it captured. */
export async function findPaymentByRef(db: Db, gateway: string, ref: string): Promise<PaymentRow | undefined> {
  return await db
    .selectFrom('payments')
    .selectAll()
    .where('gateway', '=', gateway)
    .where('gateway_ref', '=', ref)
    .executeTakeFirst()
}

/** A payment of one of these invoices that goes on, or ended later than this one. */
export async function findLaterPayment(
  db: Db,
  { id, ended_at }: Pick<PaymentRow, 'id' | 'ended_at'>,
  invoiceIds: string[],
): Promise<PaymentRow | undefined> {
  return await db
    .selectFrom('payments')
    .selectAll()
    .where('invoice_id', 'in', invoiceIds)
    .where('id', '<>', id)
    .where(({ or, eb }) => or([eb('ended_at', 'is', null), eb('ended_at', '>', ended_at)]))
    .executeTakeFirst()
}

/** The one payment of an invoice that is under way. */
export async function findOpenPayment(db: Db, invoiceId: string): Promise<PaymentRow | undefined> {
  return await db
    .selectFrom('payments')
    .selectAll()
    .where('invoice_id', '=', invoiceId)
    .where('state', 'not in', ended)
    .executeTakeFirst()
}

/**
 * The query of the earlier debt that payments under way collect by card, minor units: no other payment may collect it
 * too.
 */
export function collectingSum(db: Db, userid: string) {
  return db
    .selectFrom('payments')
    .select(sql<number>`coalesce(sum(collected_minor), 0)::bigint`.as('sum'))
    .where('userid', '=', userid)
    .where('method_id', 'is not', null)
    .where('state', 'not in', ended)
}

/** Keeps what the gateway reported of a payment whose state stays. */
export async function updatePayment(
  trx: Trx,
  id: string,
  known: Partial<Pick<PaymentRow, GatewayColumns>>,
): Promise<void> {
  await trx.updateTable('payments').set(known).where('id', '=', id).execute()
}

/** Moves a payment on. Throws where its state does not accept the event. */
export async function movePaymentOn(
  trx: Trx,
  { id, state }: Pick<PaymentRow, 'id' | 'state'>,
  event: PaymentEvent,
  { at, ...known }: { at: Date } & Partial<Pick<PaymentRow, GatewayColumns>>,
): Promise<void> {
  const next = requireState(paymentTransitions, state, event)
  const ended_at = isEnd(paymentTransitions, next) ? at : null
  await trx
    .updateTable('payments')
    .set({ ...known, state: next, ended_at })
    .where('id', '=', id)
    .execute()
}

/** The amount charged to the card for a payment, in time or late, according to the ledger. Minor units. */
export async function sumTakenFromCard(db: Db, { id, userid }: Pick<PaymentRow, 'id' | 'userid'>): Promise<number> {
  const keys = ['paid', 'collected', 'late'].map((what) => `${id} ${what}`)
  return await sumPosted(db, { userid, keys, accounts: 'gateway:' })
}
