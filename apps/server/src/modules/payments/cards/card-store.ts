import { type Expression, type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { GatewayName } from '../gateway/gateway.ts'

interface PaymentMethodsTable {
  /** `pm_…` */
  id: string
  userid: string
  gateway: GatewayName
  customer_ref: string
  card_ref: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  is_default: boolean
  created_at: Date
  /** The gateway's name of the number; null: from before it was kept. */
  fingerprint: Generated<string | null>
  removed_at: Generated<Date | null>
}
export type PaymentMethod = Selectable<PaymentMethodsTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    payment_methods: PaymentMethodsTable
  }
}

/** The account's cards at `gateway`, the default first, then the newest. */
export async function listCards(db: Db | Trx, userid: string, gateway: GatewayName): Promise<PaymentMethod[]> {
  return await db
    .selectFrom('payment_methods')
    .selectAll()
    .where('userid', '=', userid)
    .where('gateway', '=', gateway)
    .where('removed_at', 'is', null)
    .orderBy('is_default', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** A card that a payment names, removed or not. */
export async function findCard(db: Db, id: string): Promise<PaymentMethod | undefined> {
  return await db.selectFrom('payment_methods').selectAll().where('id', '=', id).executeTakeFirst()
}

/** False when the gateway's card is known already. */
export async function insertCard(
  trx: Trx,
  card: Omit<PaymentMethod, 'is_default' | 'removed_at' | 'fingerprint'> & Partial<Pick<PaymentMethod, 'fingerprint'>>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('payment_methods')
    .values({ ...card, is_default: false })
    .onConflict((on) => on.columns(['gateway', 'card_ref']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Of every gateway. */
export async function listKeptCards(db: Db, userid: string): Promise<PaymentMethod[]> {
  const kept = db.selectFrom('payment_methods').selectAll().where('userid', '=', userid)
  return await kept.where('removed_at', 'is', null).orderBy('id').execute()
}

export async function removeCard(trx: Trx, id: string, at: Date): Promise<void> {
  await trx.updateTable('payment_methods').set({ removed_at: at, is_default: false }).where('id', '=', id).execute()
}

/** Makes one card the account's default, or none of them. */
export async function setDefaultCard(trx: Trx, userid: string, id: string | undefined): Promise<void> {
  // In two steps: an account has one default at every moment, the database says.
  await trx.updateTable('payment_methods').set({ is_default: false }).where('userid', '=', userid).execute()
  if (id !== undefined)
    await trx.updateTable('payment_methods').set({ is_default: true }).where('id', '=', id).execute()
}

/** The gateway's id of the account's customer, from any card it ever had there. */
export async function findCustomer(db: Db, userid: string, gateway: GatewayName): Promise<string | undefined> {
  const row = await db
    .selectFrom('payment_methods')
    .select('customer_ref')
    .where('userid', '=', userid)
    .where('gateway', '=', gateway)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.customer_ref
}

/** Every id of the account's customers there, from any card it ever had. */
export async function listCustomers(db: Db, userid: string, gateway: GatewayName): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_methods')
    .select('customer_ref')
    .distinct()
    .where('userid', '=', userid)
    .where('gateway', '=', gateway)
    .execute()
  return rows.map(({ customer_ref }) => customer_ref)
}

export async function findDefaultCard(db: Db, userid: string): Promise<PaymentMethod | undefined> {
  return await db
    .selectFrom('payment_methods')
    .selectAll()
    .where('userid', '=', userid)
    .where('is_default', '=', true)
    .executeTakeFirst()
}

/** The query of the accounts that have a default card. */
export function accountsWithCard(db: Db) {
  return db.selectFrom('payment_methods').select('userid').where('is_default', '=', true)
}

/** For a query: the account's default card at `gateway` as it is shown, or null. */
export function defaultCardOf(
  userid: Expression<string>,
  gateway: string,
): RawBuilder<{ id: string; cardBrand: string; cardLast4: string } | null> {
  return sql`(select json_build_object('id', id, 'cardBrand', brand, 'cardLast4', last4) from payment_methods
    where payment_methods.userid = ${userid} and gateway = ${gateway} and removed_at is null and is_default)`
}

/** For a query: brand and last digits of a card, removed or not, as jsonb; null: there is none of that id. */
export function faceOf(cardId: Expression<string>): RawBuilder<{ brand: string; last4: string } | null> {
  return sql`(select jsonb_build_object('brand', brand, 'last4', last4) from payment_methods
    where payment_methods.id = ${cardId})`
}

/** For a query: whether the account has a card on file. */
export function hasCardOnFile(userid: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from payment_methods card where card.userid = ${userid} and card.removed_at is null)`
}

/**
 * The names of the numbers of the account's cards, as a table of another query with the one column `fingerprint`: of
 * those on file, or of the card `cardId` alone, removed or not.
 */
export function fingerprintsOf(userid: Expression<unknown>, cardId?: string): RawBuilder<unknown> {
  const which = cardId === undefined ? sql`card.removed_at is null` : sql`card.id = ${cardId}`
  return sql`(select card.fingerprint from payment_methods card
    where card.userid = ${userid} and ${which} and card.fingerprint is not null)`
}

/**
 * The ids of a card and of every card that its account entered with the same number at the same gateway, as a table of
 * another query.
 */
export function sameCardsAs(cardId: Expression<unknown>): RawBuilder<unknown> {
  return sql`(select charged.id from payment_methods own
    join payment_methods charged on charged.id = own.id or (charged.userid = own.userid
      and charged.gateway = own.gateway and charged.fingerprint = own.fingerprint)
    where own.id = ${cardId})`
}

/** Whose customer that is at the gateway; undefined where no card of it is known here. */
export async function findCustomerOwner(db: Db, gateway: GatewayName, customer: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('payment_methods')
    .select('userid')
    .where('gateway', '=', gateway)
    .where('customer_ref', '=', customer)
    .limit(1)
    .executeTakeFirst()
  return row?.userid
}

/** Other accounts that entered a card of the same number as one of this account: ten at most. */
export async function listSameCards(db: Db, userid: string): Promise<string[]> {
  const { rows } = await sql<{ userid: string }>`
    select distinct other.userid from payment_methods own
    join payment_methods other on other.fingerprint = own.fingerprint and other.userid <> own.userid
    where own.userid = ${userid} and own.fingerprint is not null order by other.userid limit 10`.execute(db)
  return rows.map((row) => row.userid)
}
