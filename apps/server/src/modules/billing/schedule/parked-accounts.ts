import type { Db, Trx } from '../../../platform/db/index.ts'

interface ParkedAccountsTable {
  userid: string
  parked_at: Date
  why: string
  /** Null while it is parked. */
  released_at: Date | null
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    parked_accounts: ParkedAccountsTable
  }
}

/** Whether the automatic bills of the account are stopped. */
export async function isParked(db: Db, userid: string): Promise<boolean> {
  const row = await db
    .selectFrom('parked_accounts')
    .select('userid')
    .where('userid', '=', userid)
    .where('released_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function parkAccount(
  trx: Trx,
  { userid, parkedAt, why }: { userid: string; parkedAt: Date; why: string },
): Promise<void> {
  const facts = { parked_at: parkedAt, why, released_at: null }
  await trx
    .insertInto('parked_accounts')
    .values({ userid, ...facts })
    .onConflict((on) => on.column('userid').doUpdateSet(facts))
    .execute()
}

/** Has bills written again, all that are due since; false for an account that is not parked. */
export async function unparkAccount(db: Db, userid: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('parked_accounts')
    .set({ released_at: at })
    .where('userid', '=', userid)
    .where('released_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Parked accounts with time and reason, the longest parked first. */
export async function listParked(db: Db): Promise<{ userid: string; parkedAt: Date; why: string }[]> {
  return await db
    .selectFrom('parked_accounts')
    .select(['userid', 'parked_at as parkedAt', 'why'])
    .where('released_at', 'is', null)
    .orderBy('parked_at')
    .orderBy('userid')
    .execute()
}

export async function countParked(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('parked_accounts')
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('released_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
