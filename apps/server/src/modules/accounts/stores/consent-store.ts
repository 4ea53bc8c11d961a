/** That a person of support asks to look at an account, and the answer, which allows them looks for a day. */
import { type Expression, type Generated, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface SupportConsentsTable {
  account_id: string
  staff_id: string
  reason: string
  asked_at: Date
  answered_at: Generated<Date | null>
  is_allowed: Generated<boolean>
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    support_consents: SupportConsentsTable
  }
}

/** The oldest question that was not answered: an account is asked one after the other. */
const askedOf = (accountId: unknown) => sql`from support_consents
  where support_consents.account_id = ${accountId} and answered_at is null order by asked_at, staff_id limit 1`

/** For a query: why support asks to look at the account with this id; null: it does not, or was answered. */
export function askedWhy(accountId: Expression<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(select reason ${askedOf(accountId)})`
}

export async function findAsked(db: Db, accountId: string): Promise<{ staff_id: string; reason: string } | undefined> {
  const { rows } = await sql<{ staff_id: string; reason: string }>`
    select staff_id, reason ${askedOf(accountId)}`.execute(db)
  return rows[0]
}

/** For a query: whether the account allowed a person of support a look since then. */
export function allowsLook(accountId: Expression<unknown>, { staffId, since }: { staffId: string; since: Date }) {
  return sql<SqlBool>`exists (select from support_consents where support_consents.account_id = ${accountId}
    and staff_id = ${staffId} and is_allowed and answered_at > ${since})`
}

/** The accounts that allowed a person of support a look since then. */
export async function listAllowing(db: Db, { staffId, since }: { staffId: string; since: Date }): Promise<Set<string>> {
  const query = db.selectFrom('support_consents').select('account_id').where('staff_id', '=', staffId)
  const rows = await query.where('is_allowed', '=', true).where('answered_at', '>', since).execute()
  return new Set(rows.map(({ account_id }) => account_id))
}

type Pair = { accountId: string; staffId: string }

export async function findConsent(db: Db, { accountId, staffId }: Pair) {
  return await db
    .selectFrom('support_consents')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('staff_id', '=', staffId)
    .executeTakeFirst()
}

/** Asks, with the newest reason; false: this person asked before, and was not answered yet. */
export async function askConsent(
  trx: Trx,
  { accountId, staffId, reason, at }: Pair & { reason: string; at: Date },
): Promise<boolean> {
  const before = await findConsent(trx, { accountId, staffId })
  const facts = { reason, asked_at: at, answered_at: null, is_allowed: false }
  await trx
    .insertInto('support_consents')
    .values({ account_id: accountId, staff_id: staffId, ...facts })
    .onConflict((conflict) => conflict.columns(['account_id', 'staff_id']).doUpdateSet(facts))
    .execute()
  return before === undefined || before.answered_at !== null
}

/** Answers what is asked first, for the reason that was read. False: nothing is asked, or for another reason. */
export async function answerConsent(
  trx: Trx,
  { accountId, reason }: { accountId: string; reason: string },
  answer: { answered_at: Date; is_allowed: boolean },
): Promise<boolean> {
  const asked = await findAsked(trx, accountId)
  if (asked?.reason !== reason) return false
  const { numUpdatedRows } = await trx
    .updateTable('support_consents')
    .set(answer)
    .where('account_id', '=', accountId)
    .where('staff_id', '=', asked.staff_id)
    .where('reason', '=', reason)
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
