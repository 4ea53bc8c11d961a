/** That support asks to look at an account, and the answer, which allows looks for a day. */
import { type Expression, type Generated, type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface SupportConsentsTable {
  account_id: string
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

/** For a query: why support asks to look at the account with this id; null: it does not, or was answered. */
export function askedWhy(accountId: Expression<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(select reason from support_consents
    where support_consents.account_id = ${accountId} and answered_at is null)`
}

export async function findConsent(db: Db, accountId: string) {
  return await db.selectFrom('support_consents').selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

/** Asks, with the newest reason; false: it was asked before, and not answered yet. */
export async function askConsent(
  trx: Trx,
  { accountId, reason, at }: { accountId: string; reason: string; at: Date },
): Promise<boolean> {
  const before = await findConsent(trx, accountId)
  const facts = { reason, asked_at: at, answered_at: null, is_allowed: false }
  await trx
    .insertInto('support_consents')
    .values({ account_id: accountId, ...facts })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(facts))
    .execute()
  return before === undefined || before.answered_at !== null
}

/** False: nothing is asked, or for another reason. */
export async function answerConsent(
  trx: Trx,
  { accountId, reason }: { accountId: string; reason: string },
  answer: { answered_at: Date; is_allowed: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('support_consents')
    .set(answer)
    .where('account_id', '=', accountId)
    .where('reason', '=', reason)
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
