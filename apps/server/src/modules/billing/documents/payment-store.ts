import type { Db, Trx } from '../../../platform/db/index.ts'
import type { PaymentRow } from './document-tables.ts'
import { isEnd, type PaymentEvent, paymentTransitions, requireState } from './states.ts'

type GatewayColumns = 'gateway_ref' | 'decline_code' | 'action_url'
export type NewPayment = Omit<PaymentRow, 'state' | 'ended_at' | GatewayColumns>

export async function insertPayment(trx: Trx, payment: NewPayment): Promise<PaymentRow> {
  return await trx
    .insertInto('payments')
    .values({ ...payment, state: 'created', ended_at: null, gateway_ref: null, decline_code: null, action_url: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function getPayment(db: Db, userid: string, id: string): Promise<PaymentRow> {
  return await db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', id)
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow()
}

/** The one payment of an invoice that is under way. */
export async function findOpenPayment(db: Db, invoiceId: string): Promise<PaymentRow | undefined> {
  return await db
    .selectFrom('payments')
    .selectAll()
    .where('invoice_id', '=', invoiceId)
    .where('state', 'not in', ['succeeded', 'declined', 'canceled'])
    .executeTakeFirst()
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
