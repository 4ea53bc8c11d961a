import type { Currency } from '@atoll/money'
import { type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface CardRefundsTable {
  /** `rf_…` */
  id: string
  userid: string
  /** The refunded charge: a payment, or an adopted capture. */
  payment_id: string | null
  capture_id: string | null
  currency: Currency
  amount_minor: number
  /** `returned`: it was done, and came back later. */
  state: 'pending' | 'done' | 'declined' | 'returned'
  /** Made in the gateway's dashboard: nothing was set aside for it. */
  is_foreign: Generated<boolean>
  /** Whether it went out of what was set aside; once that was released first. */
  is_from_held: Generated<boolean>
  attempts: Generated<number>
  gateway_ref: Generated<string | null>
  decline_code: Generated<string | null>
  created_at: Date
  ended_at: Generated<Date | null>
}
export type CardRefundRow = Selectable<CardRefundsTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    card_refunds: CardRefundsTable
  }
}

/** A refund that its gateway has not ended for so long waits for a person, ms. */
export const lateRefundMs = 24 * 60 * 60_000

/** In a query over `card_refunds`: whether its gateway has not said for a day how it ended, so that a person has to. */
export function waitingRefund(now: Date): RawBuilder<boolean> {
  const before = new Date(now.getTime() - lateRefundMs)
  return sql<boolean>`(card_refunds.state = 'pending' and card_refunds.created_at < ${before})`
}

/** In a query over `card_refunds`: whether it went to the card after it had been put back on the balance. */
export const isLateRefund = sql<boolean>`(card_refunds.state = 'done' and not card_refunds.is_foreign
  and not card_refunds.is_from_held)`

type NewCardRefund = Pick<
  CardRefundRow,
  'id' | 'userid' | 'payment_id' | 'capture_id' | 'currency' | 'amount_minor' | 'created_at'
>

export async function insertCardRefund(trx: Trx, refund: NewCardRefund): Promise<void> {
  await trx
    .insertInto('card_refunds')
    .values({ ...refund, state: 'pending' })
    .execute()
}

/** One that was made without us and is done. */
export async function insertForeignRefund(trx: Trx, refund: NewCardRefund & { gateway_ref: string }): Promise<void> {
  const ended_at = refund.created_at
  await trx
    .insertInto('card_refunds')
    .values({ ...refund, state: 'done', is_foreign: true, is_from_held: false, ended_at })
    .execute()
}

/** By our own id or, of one that was made without us, by the gateway's. */
export async function findCardRefund(
  db: Db,
  { id, ref }: { id: string | null; ref: string },
): Promise<CardRefundRow | undefined> {
  return await db
    .selectFrom('card_refunds')
    .selectAll()
    .where(({ or, eb }) => or([...(id === null ? [] : [eb('id', '=', id)]), eb('gateway_ref', '=', ref)]))
    .executeTakeFirst()
}

/** The bank returned a completed refund. */
export async function returnCardRefund(trx: Trx, id: string): Promise<void> {
  await trx.updateTable('card_refunds').set({ state: 'returned' }).where('id', '=', id).execute()
}

/** A declined refund, whose hold was released, went to the card after all. */
export async function completeDeclined(trx: Trx, id: string, { ref, at }: { ref: string; at: Date }): Promise<void> {
  await trx
    .updateTable('card_refunds')
    .set({ state: 'done', is_from_held: false, gateway_ref: ref, decline_code: null, ended_at: at })
    .where('id', '=', id)
    .execute()
}

/** A capture by which a card was charged: of a payment, or one that was adopted. */
export interface Charged {
  userid: string
  paymentId: string | null
  captureId: string | null
}

export async function getCardRefund(db: Db, id: string): Promise<CardRefundRow> {
  return await db.selectFrom('card_refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** The sum of a capture's refunds to its card, pending or done. */
export async function sumCardRefunds(db: Db, { paymentId, captureId }: Charged): Promise<number> {
  const query = db
    .selectFrom('card_refunds')
    .select(({ fn }) => fn.sum<string | null>('amount_minor').as('sum'))
    .where('state', 'in', ['pending', 'done'])
  const of = paymentId === null ? query.where('capture_id', '=', captureId) : query.where('payment_id', '=', paymentId)
  const { sum } = await of.executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** Counts that the gateway is about to be asked. */
export async function countAttempt(db: Db, id: string): Promise<void> {
  await db.updateTable('card_refunds').set({ attempts: sql<number>`attempts + 1` }).where('id', '=', id).execute()
}

/** Ends a refund that is pending; false when it had ended before. Needs the account's lock. */
export async function endCardRefund(
  trx: Trx,
  id: string,
  end: { state: 'done' | 'declined'; at: Date; gatewayRef?: string; declineCode?: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('card_refunds')
    .set({
      state: end.state,
      ended_at: end.at,
      gateway_ref: end.gatewayRef ?? null,
      decline_code: end.declineCode ?? null,
    })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
