import type { Database } from '../../../platform/db/index.ts'
import { makeAccount } from '../../accounts/testing/make-account.ts'
import { type Posted, type Posting, postToLedger } from '../ledger-store.ts'
import type { LedgerKind } from '../postings.ts'

/** An account whose book is still to be opened. */
export async function insertOwner({ db }: Database): Promise<string> {
  return (await makeAccount(db, { vcpu_quota: 16 })).userid
}

/** Posts in a transaction of its own. */
export async function post<Kind extends LedgerKind>({ db }: Database, posting: Posting<Kind>): Promise<Posted> {
  return await db.transaction().execute((trx) => postToLedger(trx, posting))
}
