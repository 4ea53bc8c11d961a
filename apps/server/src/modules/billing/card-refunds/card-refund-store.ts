import type { Currency } from '@atoll/money'
import { type Generated, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface CardRefundsTable {
  /** `rf_…` */
  id: string
  userid: string
  payment_id: string
  currency: Currency
  amount_minor: number
  state: 'pending' | 'done' | 'declined'
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

export async function insertCardRefund(
  trx: Trx,
  refund: Pick<CardRefundRow, 'id' | 'userid' | 'payment_id' | 'currency' | 'amount_minor' | 'created_at'>,
): Promise<void> {
  await trx
    .insertInto('card_refunds')
    .values({ ...refund, state: 'pending' })
    .execute()
}

export async function getCardRefund(db: Db, id: string): Promise<CardRefundRow> {
  return await db.selectFrom('card_refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** What of a payment goes back, or has gone back, to its card. */
export async function sumCardRefunds(db: Db, paymentId: string): Promise<number> {
  const { sum } = await db
    .selectFrom('card_refunds')
    .select(({ fn }) => fn.sum<string | null>('amount_minor').as('sum'))
    .where('payment_id', '=', paymentId)
    .where('state', '<>', 'declined')
    .executeTakeFirstOrThrow()
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
      ...{ state: end.state, ended_at: end.at },
      ...{ gateway_ref: end.gatewayRef ?? null, decline_code: end.declineCode ?? null },
    })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
