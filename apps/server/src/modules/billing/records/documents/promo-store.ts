import { type Currency, type Money, money, smallerMoney, subtractMoney } from '@atoll/money'
import { sql } from 'kysely'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { postToLedger } from '../../../ledger/index.ts'
import { dueKinds } from '../../schedule/due-kinds.ts'
import { scheduleDue } from '../../schedule/due-store.ts'
import './document-tables.ts'

export interface NewGrant {
  id: string
  userid: string
  amount: Money
  expiresAt: Date | null
  at: Date
}

export async function insertGrant(trx: Trx, { id, userid, amount, expiresAt, at }: NewGrant): Promise<void> {
  const { minor, currency } = amount
  const amounts = { amount_minor: minor, left_minor: minor }
  await trx
    .insertInto('promo_grants')
    .values({ id, userid, currency, ...amounts, expires_at: expiresAt, created_at: at })
    .execute()
  if (expiresAt) await scheduleDue(trx, { userid, kind: dueKinds.promoExpiry, object: id, dueAt: expiresAt })
}

/** The query of what is left of the grants that have not expired at `at`, minor units, to be part of another. */
export function promoSum(db: Db, userid: string, currency: Currency, at: Date) {
  return usableGrants(db, userid, currency, at).select(sql<number>`coalesce(sum(left_minor), 0)::bigint`.as('sum'))
}

/** The grants of which something is left, what expires first at first. */
export async function listPromo(
  db: Db,
  userid: string,
  currency: Currency,
  at: Date,
): Promise<{ left_minor: number; expires_at: Date | null }[]> {
  return await usableGrants(db, userid, currency, at)
    .select(['left_minor', 'expires_at'])
    .orderBy('expires_at', (order) => order.asc().nullsLast())
    .orderBy('id')
    .execute()
}

function usableGrants(db: Db, userid: string, currency: Currency, at: Date) {
  return db
    .selectFrom('promo_grants')
    .where('userid', '=', userid)
    .where('currency', '=', currency)
    .where('left_minor', '>', 0)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
}

/** Takes promotional credit for a payment, what expires first at first. Throws when there is less. */
export async function takePromo(
  trx: Trx,
  { userid, paymentId, at }: { userid: string; paymentId: string; at: Date },
  amount: Money,
): Promise<void> {
  let needed = amount.minor
  const grants = await usableGrants(trx, userid, amount.currency, at)
    .select(['id', 'left_minor'])
    .orderBy('expires_at', (order) => order.asc().nullsLast())
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  for (const { id, left_minor: left } of grants) {
    const taken = Math.min(left, needed)
    if (taken === 0) break
    needed -= taken
    await addLeft(trx, id, -taken)
    await trx.insertInto('promo_uses').values({ payment_id: paymentId, grant_id: id, amount_minor: taken }).execute()
  }
  if (needed > 0) throw new Error(`Promotional credit of ${amount.minor} lacks ${needed}.`)
}

/** Gives back what a payment took, as much as `amount`, what expires last at first. Throws when it took less. */
export async function giveBackPromo(trx: Trx, paymentId: string, amount: Money): Promise<void> {
  let owed = amount.minor
  const uses = await trx
    .selectFrom('promo_uses')
    .innerJoin('promo_grants', 'promo_grants.id', 'promo_uses.grant_id')
    .select(['grant_id', 'promo_uses.amount_minor', 'userid', 'expires_at'])
    .where('payment_id', '=', paymentId)
    .orderBy('expires_at', (order) => order.desc().nullsFirst())
    .orderBy('created_at', 'desc')
    .orderBy('grant_id', 'desc')
    .execute()
  for (const { grant_id: grantId, amount_minor: used, userid, expires_at: dueAt } of uses) {
    const given = Math.min(used, owed)
    if (given === 0) break
    owed -= given
    await addLeft(trx, grantId, given)
    // It may have expired while it was set aside.
    if (dueAt) await scheduleDue(trx, { userid, kind: dueKinds.promoExpiry, object: grantId, dueAt })
    await trx
      .updateTable('promo_uses')
      .set({ amount_minor: used - given })
      .where('payment_id', '=', paymentId)
      .where('grant_id', '=', grantId)
      .execute()
  }
  if (owed > 0) throw new Error(`The payment ${paymentId} took ${owed} less than what is given back.`)
}

/**
 * Gives back what the payments of an invoice took, as much as `amount`, of the newest first. It expires when its grants
 * do. Throws when they took less.
 */
export async function giveBackPaid(trx: Trx, invoiceId: string, amount: Money): Promise<void> {
  let owed = amount
  for (const { id, left } of await listTaken(trx, invoiceId)) {
    const given = smallerMoney(owed, money(left, amount.currency))
    owed = subtractMoney(owed, given)
    if (given.minor > 0) await giveBackPromo(trx, id, given)
  }
  if (owed.minor > 0) throw new Error(`The invoice ${invoiceId} took ${owed.minor} less than what is given back.`)
}

/** The payments that took promotional credit for an invoice, the newest first, and what was not given back of it. */
export async function listTaken(db: Db, invoiceId: string): Promise<{ id: string; left: number }[]> {
  return await db
    .selectFrom('promo_uses')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .select(['payments.id', sql<number>`sum(promo_uses.amount_minor)::bigint`.as('left')])
    .where('invoice_id', '=', invoiceId)
    .where('payments.state', '=', 'succeeded')
    .groupBy('payments.id')
    .orderBy('round', 'desc')
    .execute()
}

/** Ends what is left of an account's grants, or of one of them. False where nothing is left. */
export async function lapseGrants(
  trx: Trx,
  { userid, currency, at, grantId }: { userid: string; currency: Currency; at: Date; grantId?: string },
): Promise<boolean> {
  const left = trx.selectFrom('promo_grants').select(['id', 'left_minor']).where('userid', '=', userid)
  const grants = await (grantId === undefined ? left : left.where('id', '=', grantId))
    .where('left_minor', '>', 0)
    .execute()
  for (const { id, left_minor: minor } of grants) {
    await addLeft(trx, id, -minor)
    const about = { userid, at, document: id, key: `${id} lapsed ${at.toISOString()}` }
    await postToLedger(trx, { ...about, kind: 'lapse', facts: { amount: money(minor, currency) } })
  }
  return grants.length > 0
}

async function addLeft(trx: Trx, grantId: string, minor: number): Promise<void> {
  await trx
    .updateTable('promo_grants')
    .set({ left_minor: sql<number>`left_minor + ${minor}` })
    .where('id', '=', grantId)
    .execute()
}
