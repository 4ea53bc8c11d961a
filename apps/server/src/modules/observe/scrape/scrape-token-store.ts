import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface ScrapeTokensTable {
  account_id: string
  /** SHA-256 of the token, hex; the token itself is not kept. */
  token_hash: string
  created_at: Date
  used_at: Date | null
}
export type ScrapeTokenRow = Selectable<ScrapeTokensTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    scrape_tokens: ScrapeTokensTable
  }
}

/** The token of an account from now on; the one before is revoked. */
export async function saveScrapeToken(
  trx: Trx,
  { userid, ...given }: Pick<ScrapeTokenRow, 'token_hash' | 'created_at'> & { userid: string },
): Promise<void> {
  const token = { ...given, used_at: null }
  await trx
    .insertInto('scrape_tokens')
    .values({ ...token, account_id: userid })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(token))
    .execute()
}

/** False when there was none. */
export async function deleteScrapeToken(trx: Trx, userid: string): Promise<boolean> {
  const result = await trx.deleteFrom('scrape_tokens').where('account_id', '=', userid).executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function findScrapeToken(db: Db, userid: string): Promise<ScrapeTokenRow | undefined> {
  return await db.selectFrom('scrape_tokens').selectAll().where('account_id', '=', userid).executeTakeFirst()
}

/**
 * Notes a use of a token at `at`, unless it was used within `everyMs` before. One statement: of several processes that
 * are asked at once, one does.
 */
export async function spendScrapeToken(
  db: Db,
  { hash, at, everyMs }: { hash: string; at: Date; everyMs: number },
): Promise<string | undefined> {
  const row = await db
    .updateTable('scrape_tokens')
    .set({ used_at: at })
    .where('token_hash', '=', hash)
    // Of a time to come when the clock was set back: that holds nobody up.
    .where((from) =>
      from.or([
        from('used_at', 'is', null),
        from('used_at', '<=', new Date(at.getTime() - everyMs)),
        from('used_at', '>', at),
      ]),
    )
    .returning('account_id')
    .executeTakeFirst()
  return row?.account_id
}

export async function isScrapeToken(db: Db, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('scrape_tokens')
    .select('account_id')
    .where('token_hash', '=', hash)
    .executeTakeFirst()
  return row !== undefined
}
