import type { Generated } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'

interface SignInCodesTable {
  /** SHA-256 of the code's secret, hex. */
  secret_hash: string
  userid: string
  approved_at: Date
  taken_at: Generated<Date | null>
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    sign_in_codes: SignInCodesTable
  }
}

/** Records an approval; false when this secret was approved before, by whomever. */
export async function insertApprovedCode(
  trx: Trx,
  code: { secretHash: string; userid: string; at: Date },
): Promise<boolean> {
  const row = await trx
    .insertInto('sign_in_codes')
    .values({ secret_hash: code.secretHash, userid: code.userid, approved_at: code.at })
    .onConflict((conflict) => conflict.column('secret_hash').doNothing())
    .returning('secret_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Which approved code is meant: by the hash of its secret, approved after `approvedSince`. */
export interface CodeKey {
  secretHash: string
  approvedSince: Date
}

/** Whether there is such a code that nobody took yet: what a poll costs while there is none. */
export async function isCodeWaiting(db: Db, code: CodeKey): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_codes')
    .select('secret_hash')
    .where('secret_hash', '=', code.secretHash)
    .where('taken_at', 'is', null)
    .where('approved_at', '>', code.approvedSince)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Takes an approved code that nobody took; gives its userid. Of several
 * callers at once one gets it: the others wait for its row and then find it taken.
 */
export async function takeApprovedCode(trx: Trx, code: CodeKey, at: Date): Promise<string | undefined> {
  const row = await trx
    .updateTable('sign_in_codes')
    .set({ taken_at: at })
    .where('secret_hash', '=', code.secretHash)
    .where('taken_at', 'is', null)
    .where('approved_at', '>', code.approvedSince)
    .returning('userid')
    .executeTakeFirst()
  return row?.userid
}

/** Removes codes approved before `before`; gives how many. */
export async function deleteCodesBefore(db: Db, before: Date): Promise<number> {
  const result = await db.deleteFrom('sign_in_codes').where('approved_at', '<', before).executeTakeFirst()
  return Number(result.numDeletedRows)
}
