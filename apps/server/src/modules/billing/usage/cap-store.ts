import { type Currency, type Money, money } from '@atoll/money'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { PlanTerms } from '../../catalog/index.ts'

interface SpendCapsTable {
  userid: string
  set_at: Date
  amount_minor: number | null
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    spend_caps: SpendCapsTable
  }
}

/**
 * The cap that stands at `at`, time of the account; undefined: none. Of an account that never set one it is what its
 * plan says, `terms`.
 */
export async function findCap(
  db: Db,
  { userid, currency, terms }: { userid: string; currency: Currency; terms: PlanTerms | undefined },
  at: Date,
): Promise<Money | undefined> {
  const row = await db
    .selectFrom('spend_caps')
    .select('amount_minor')
    .where('userid', '=', userid)
    .where('set_at', '<=', at)
    .orderBy('set_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const minor = row ? row.amount_minor : terms?.spendCap
  return minor == null ? undefined : money(minor, currency)
}

/** Sets the cap from `at` on; null: none. Under the account's lock. */
export async function insertCap(trx: Trx, userid: string, amount: number | null, at: Date): Promise<void> {
  await trx
    .insertInto('spend_caps')
    .values({ userid, set_at: at, amount_minor: amount })
    .onConflict((conflict) => conflict.columns(['userid', 'set_at']).doUpdateSet({ amount_minor: amount }))
    .execute()
}
