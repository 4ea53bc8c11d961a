import type { CodeRefusal } from '@atoll/contract/accounts'
import type { Generated, Selectable } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { didOfAccount } from './account-store.ts'

interface SignInCodesTable {
  /** SHA-256 of the code's secret, hex. */
  secret_hash: string
  /** Of the showing browser's key and cookie, SHA-256, hex; null when a client without them shows the code. */
  browser_hash: Generated<string | null>
  cookie_hash: Generated<string | null>
  match_number: Generated<string | null>
  /** Whom the code is for; null: anybody. */
  asked_did: Generated<string | null>
  scanned_at: Generated<Date | null>
  refused: Generated<CodeRefusal | null>
  burnt_at: Generated<Date | null>
  userid: Generated<string | null>
  approved_at: Generated<Date | null>
  taken_at: Generated<Date | null>
  changed_at: Date
}
export type SignInCodeRow = Selectable<SignInCodesTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    sign_in_codes: SignInCodesTable
  }
}

export interface OpenedCode {
  secretHash: string
  browserHash: string
  cookieHash: string | null
  matchNumber: string
  askedDid: string | null
  at: Date
}

/**
 * Writes down a code that is about to be shown; of one that is known already only whom it is for, when it was approved
 * before it was opened. Gives the row as it then is.
 */
export async function insertOpenedCode(trx: Trx, code: OpenedCode): Promise<SignInCodeRow> {
  await trx
    .insertInto('sign_in_codes')
    .values({
      secret_hash: code.secretHash,
      browser_hash: code.browserHash,
      cookie_hash: code.cookieHash,
      match_number: code.matchNumber,
      asked_did: code.askedDid,
      changed_at: code.at,
    })
    .onConflict((conflict) =>
      conflict
        .column('secret_hash')
        .doUpdateSet({ asked_did: code.askedDid })
        .where('sign_in_codes.browser_hash', 'is', null),
    )
    .execute()
  return await trx
    .selectFrom('sign_in_codes')
    .selectAll()
    .where('secret_hash', '=', code.secretHash)
    .executeTakeFirstOrThrow()
}

/** The code, with the DID of who approved it. */
export async function findCode(
  db: Db,
  secretHash: string,
): Promise<(SignInCodeRow & { did: string | null }) | undefined> {
  return await db
    .selectFrom('sign_in_codes')
    .selectAll()
    .select((from) => didOfAccount(from.ref('userid')).$castTo<string | null>().as('did'))
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
}

/** The code with its row locked until the transaction ends; undefined while nobody opened or approved it. */
export async function lockCode(trx: Trx, secretHash: string): Promise<SignInCodeRow | undefined> {
  return await trx
    .selectFrom('sign_in_codes')
    .selectAll()
    .where('secret_hash', '=', secretHash)
    .forUpdate()
    .executeTakeFirst()
}

/** Records an approval; false when this secret was approved or burnt before, by whomever. */
export async function approveCode(trx: Trx, code: { secretHash: string; userid: string; at: Date }): Promise<boolean> {
  const approval = { userid: code.userid, approved_at: code.at, changed_at: code.at }
  const row = await trx
    .insertInto('sign_in_codes')
    .values({ secret_hash: code.secretHash, ...approval })
    .onConflict((conflict) =>
      conflict
        .column('secret_hash')
        .doUpdateSet({ ...approval, refused: null })
        .where('sign_in_codes.approved_at', 'is', null)
        .where('sign_in_codes.burnt_at', 'is', null),
    )
    .returning('secret_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends a code that nobody approved: a wrong number was sent for it. */
export async function burnCode(trx: Trx, secretHash: string, at: Date): Promise<void> {
  await trx
    .updateTable('sign_in_codes')
    .set({ burnt_at: at, changed_at: at, refused: 'wrongNumber' })
    .where('secret_hash', '=', secretHash)
    .where('approved_at', 'is', null)
    .execute()
}

/**
 * Notes what its screen is to show on a code that is displayed and that nobody approved or burnt. Does nothing for
 * others.
 */
export async function noteOnCode(
  db: Db,
  secretHash: string,
  note: { scanned_at: Date } | { refused: CodeRefusal },
): Promise<void> {
  await db
    .updateTable('sign_in_codes')
    // Reading it again clears what was said about the wallet before.
    .set('scanned_at' in note ? { ...note, refused: null } : { ...note, scanned_at: null })
    .where('secret_hash', '=', secretHash)
    .where('browser_hash', 'is not', null)
    .where('approved_at', 'is', null)
    .where('burnt_at', 'is', null)
    .execute()
}

/**
 * Takes a code that was approved after `approvedSince` and that nobody took; gives its userid. Of several
 * callers at once one gets it: the others wait for its row and then find it taken.
 */
export async function takeApprovedCode(
  trx: Trx,
  code: { secretHash: string; approvedSince: Date },
  at: Date,
): Promise<string | undefined> {
  const row = await trx
    .updateTable('sign_in_codes')
    .set({ taken_at: at })
    .where('secret_hash', '=', code.secretHash)
    .where('taken_at', 'is', null)
    .where('approved_at', '>', code.approvedSince)
    .returning('userid')
    .executeTakeFirst()
  return row?.userid ?? undefined
}

/** Removes codes with which nothing happened since `before`; gives how many. */
export async function deleteCodesBefore(db: Db, before: Date): Promise<number> {
  const result = await db.deleteFrom('sign_in_codes').where('changed_at', '<', before).executeTakeFirst()
  return Number(result.numDeletedRows)
}
