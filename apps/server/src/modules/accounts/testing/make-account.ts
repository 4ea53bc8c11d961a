import { createScriptedWallet } from '@atoll/testkit'
import type { Insertable } from 'kysely'
import type { Db, Tables } from '../../../platform/db/index.ts'
import '../stores/account-store.ts'

/** An account that has signed in once, by its id and its DID. */
export async function makeAccount(
  db: Db,
  facts: Partial<Insertable<Tables['accounts']>> = {},
): Promise<{ userid: string; did: string }> {
  const did = facts.did ?? createScriptedWallet().did
  const { account_id: userid } = await db
    .insertInto('accounts')
    .values({ can_create_cluster: true, created_at: new Date(), ...facts, did })
    .returning('account_id')
    .executeTakeFirstOrThrow()
  return { userid, did }
}
