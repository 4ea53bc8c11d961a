import { type Currency, type Money, money } from '@atoll/money'
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { getBalance } from '../../ledger/index.ts'
import { type DisputeState, sameCardsAs } from '../../payments/index.ts'
import type { Charged } from './card-refund-store.ts'

interface DisputesTable {
  /** `dp_…` */
  id: string
  userid: string
  payment_id: string | null
  capture_id: string | null
  gateway: string
  gateway_ref: string
  currency: Currency
  /** Disputed; withdrawn of it and not reinstated; of that lost: owed on the invoice, and as cash. */
  amount_minor: number
  withdrawn_minor: number
  lost_minor: number
  lost_cash_minor: number
  state: DisputeState
  reason: string
  due_by: Date | null
  moves: number
  /** The wall's times. */
  opened_at: Date
  ended_at: Date | null
}
export type DisputeRow = Selectable<DisputesTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    disputes: DisputesTable
  }
}

export async function findDispute(db: Db, gateway: string, ref: string): Promise<DisputeRow | undefined> {
  return await db
    .selectFrom('disputes')
    .selectAll()
    .where('gateway', '=', gateway)
    .where('gateway_ref', '=', ref)
    .executeTakeFirst()
}

/** A dispute that is named by our id or by the gateway's. */
export async function findDisputeBy(db: Db, which: string): Promise<DisputeRow | undefined> {
  return await db
    .selectFrom('disputes')
    .selectAll()
    .where(({ or, eb }) => or([eb('id', '=', which), eb('gateway_ref', '=', which)]))
    .executeTakeFirst()
}

/** Writes a dispute as it stands now. */
export async function keepDispute(trx: Trx, row: DisputeRow): Promise<void> {
  const { id, userid, gateway, gateway_ref, opened_at, ...known } = row
  await trx
    .insertInto('disputes')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(known))
    .execute()
}

function ofCharged(db: Db, { paymentId, captureId }: Pick<Charged, 'paymentId' | 'captureId'>) {
  const query = db.selectFrom('disputes')
  return paymentId === null ? query.where('capture_id', '=', captureId) : query.where('payment_id', '=', paymentId)
}

/** Whether a bank disputes a capture now: nothing of it is given back meanwhile. */
export async function isDisputed(db: Db, charged: Charged): Promise<boolean> {
  const open = ofCharged(db, charged).select('id').where('state', 'in', ['inquiry', 'open'])
  return (await open.limit(1).executeTakeFirst()) !== undefined
}

/** The amount of a capture that banks have withdrawn. Minor units. */
export async function sumWithdrawn(db: Db, charged: Charged): Promise<number> {
  const { sum } = await ofCharged(db, charged)
    .select(({ fn }) => fn.sum<string | null>('withdrawn_minor').as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** The amount of a capture that was lost and is owed on its invoice. Minor units. */
export async function sumLost(db: Db, charged: Charged): Promise<number> {
  const { sum } = await ofCharged(db, charged)
    .select(({ fn }) => fn.sum<string | null>('lost_minor').as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** Whether the account disputes what it paid: nothing that costs is sold to it meanwhile. */
export async function hasOpenDispute(db: Db, userid: string): Promise<boolean> {
  return (await openDisputes(db, userid).executeTakeFirst()) !== undefined
}

/** The query of one of these. */
export function openDisputes(db: Db, userid: string) {
  return db.selectFrom('disputes').select('id').where('userid', '=', userid).where('state', '=', 'open').limit(1)
}

/**
 * Whether a payment of the card is disputed, or was taken back for good: it is not charged, nor is its number where the
 * account entered that once more. To be part of a query over cards, whose id it is given.
 */
export function isCardDisputed(methodId: ReturnType<typeof sql.ref> | ReturnType<typeof sql<string>>) {
  return sql<SqlBool>`exists (select from ${sameCardsAs(methodId)} charged
    join payments on payments.method_id = charged.id
    join disputes on disputes.payment_id = payments.id and disputes.state in ('open', 'lost'))`
}

/** Those of these cards that are not charged. */
export async function listDisputedCards(db: Db, methodIds: readonly string[]): Promise<Set<string>> {
  if (methodIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${[...methodIds]}::text[]) as card (id)
    where ${isCardDisputed(sql.ref('card.id'))}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * The balance that can be spent: credit (below zero) less the disputed amount. A debt (above zero) is returned
 * unchanged: the disputed amount is not added to it.
 */
export function spendable(cash: number, disputed: number): number {
  return cash < 0 ? Math.min(cash + disputed, 0) : cash
}

export async function readSpendable(db: Db, userid: string, currency: Currency): Promise<Money> {
  const [cash, disputed] = [
    await getBalance(db, userid, 'cash', currency),
    await getBalance(db, userid, 'disputed', currency),
  ]
  return money(spendable(cash.minor, disputed.minor), currency)
}
