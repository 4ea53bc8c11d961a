/**
 * Coupons of `once` and `repeating` can be used once per card: if one account used one with a card, no other account
 * can use it with a card of the same number. Cards are identified by the gateway's fingerprint of their number. Under
 * the account's lock.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { fingerprintsOf, hasCardOnFile } from '../../payments/index.ts'
import { usesOf } from './coupon-uses.ts'
import type { InvoiceRow } from './documents/document-tables.ts'

interface CouponCardsTable {
  code: string
  fingerprint: string
  userid: string
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    coupon_cards: CouponCardsTable
  }
}

const isOnePerCard = sql<boolean>`redemption.terms::json ->> 'duration' <> 'forever'`

/** In a query over `coupon_redemptions as redemption`: whether another account used it with a card of this one. */
export const usedWithCard: RawBuilder<boolean> = sql<boolean>`(${isOnePerCard} and exists (
  select from coupon_cards used where used.code = redemption.code and used.userid <> redemption.userid
    and used.fingerprint in ${fingerprintsOf(sql.ref('redemption.userid'))}))`

export async function hasCard(db: Db, userid: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select ${hasCardOnFile(sql`${userid}`)} as has`.execute(db)
  return rows[0]?.has === true
}

/** Whether another account used the coupon with a card of this one, by its code; whatever it says. */
export async function isUsedWithCard(db: Db, of: { userid: string; code: string; cardId?: string }): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`select ${usedWithCardOf(of)} as used`.execute(db)
  return rows[0]?.used === true
}

/** The same, for a query. */
export function usedWithCardOf({
  userid,
  code,
  cardId,
}: {
  userid: string
  code: string
  cardId?: string
}): RawBuilder<boolean> {
  return sql<boolean>`exists (select from coupon_cards used where used.code = ${code} and used.userid <> ${userid}
    and used.fingerprint in ${fingerprintsOf(sql`${userid}`, cardId)})`
}

/** Keeps with which cards the account used its coupons: those on file, and later each that comes. Safe to repeat. */
export async function keepCouponCards(trx: Trx, userid: string): Promise<void> {
  await sql`
    insert into coupon_cards (code, fingerprint, userid)
    select distinct redemption.code, card.fingerprint, redemption.userid
    from coupon_redemptions redemption cross join ${fingerprintsOf(sql`${userid}`)} card
    where redemption.userid = ${userid} and ${isOnePerCard}
      and json_array_length(${usesOf()}) > 0
    order by code, fingerprint
    on conflict do nothing`.execute(trx)
}

/**
 * Refuses a bill whose coupon another account has used with one of this account's cards since the bill was priced. If
 * two try it at once, the one whose cards are stored later is refused; it waits for the other. A coupon that an earlier
 * bill used stays used.
 */
export async function requireOwnCards(
  trx: Trx,
  { userid, code, invoiceId }: { userid: string; code: string; invoiceId: string },
): Promise<void> {
  const { rows } = await sql<{ code: string }>`
    select redemption.code from coupon_redemptions redemption
    where redemption.userid = ${userid} and redemption.code = ${code} and ${usedWithCard}
      and json_array_length(${usesOf(invoiceId)}) = 0`.execute(trx)
  if (rows.length > 0) refuse('couponCardUsed', { code })
}

/** An invoice is void, or what it was for never ran: if the account no longer uses its coupon, no card did. */
export async function freeCouponCards(
  trx: Trx,
  { userid, coupon }: Pick<InvoiceRow, 'userid' | 'coupon'>,
): Promise<void> {
  if (coupon === null) return
  await sql`
    delete from coupon_cards using coupon_redemptions redemption
    where coupon_cards.userid = ${userid} and coupon_cards.code = ${coupon}
      and redemption.userid = coupon_cards.userid and redemption.code = coupon_cards.code
      and json_array_length(${usesOf()}) = 0`.execute(trx)
}
