import { type Generated, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'

interface AcmeAccountsTable {
  directory: string
  sealed_key: string
  url: Generated<string | null>
  created_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    acme_accounts: AcmeAccountsTable
  }
}

/** The account at a directory, with this key when there was none. */
export async function keepAccount(
  db: Db,
  { directory, sealedKey, at }: { directory: string; sealedKey: string; at: Date },
): Promise<Pick<AcmeAccountsTable, 'sealed_key'> & { url: string | null }> {
  return await db
    .insertInto('acme_accounts')
    .values({ directory, sealed_key: sealedKey, created_at: at })
    // Written again as it is, so that it is given.
    .onConflict((conflict) => conflict.column('directory').doUpdateSet({ directory: sql`excluded.directory` }))
    .returning(['sealed_key', 'url'])
    .executeTakeFirstOrThrow()
}

/** Where the account at a directory is; undefined: none is registered. */
export async function findAccountUrl(db: Db, directory: string): Promise<string | undefined> {
  const row = await db.selectFrom('acme_accounts').select('url').where('directory', '=', directory).executeTakeFirst()
  return row?.url ?? undefined
}

export async function registerAccount(db: Db, directory: string, url: string): Promise<void> {
  await db.updateTable('acme_accounts').set({ url }).where('directory', '=', directory).execute()
}

/** The account is then registered again, with the same key. */
export async function forgetAccount(db: Db, directory: string): Promise<void> {
  await db.updateTable('acme_accounts').set({ url: null }).where('directory', '=', directory).execute()
}
