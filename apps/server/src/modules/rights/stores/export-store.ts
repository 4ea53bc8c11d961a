import type { AccountExport } from '@atoll/contract/accounts'
import type { Selectable } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface AccountExportsTable {
  id: string
  account_id: string
  state: AccountExport['state']
  asked_by: string
  asked_at: Date
  ready_at: Date | null
  until_at: Date | null
  size: number | null
  bytes: Buffer | null
}
export type ExportRow = Omit<Selectable<AccountExportsTable>, 'bytes'>
type Ended = Pick<ExportRow, 'id'> & { account: string }

declare module '../../../platform/db/index.ts' {
  interface Tables {
    account_exports: AccountExportsTable
  }
}

const columns = ['id', 'account_id', 'state', 'asked_by', 'asked_at', 'ready_at', 'until_at', 'size'] as const

/** Begins one; false: another of the account is being made. */
export async function insertExport(
  trx: Trx,
  row: Pick<ExportRow, 'id' | 'account_id' | 'asked_by' | 'asked_at'>,
): Promise<boolean> {
  const empty = { ready_at: null, until_at: null, size: null, bytes: null }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('account_exports')
    .values({ ...row, ...empty, state: 'making' })
    .onConflict((conflict) => conflict.column('account_id').where('state', '=', 'making').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function findNewestExport(db: Db, accountId: string, askedBy?: string): Promise<ExportRow | undefined> {
  const query = db.selectFrom('account_exports').select(columns).where('account_id', '=', accountId)
  return await (askedBy === undefined ? query : query.where('asked_by', '=', askedBy))
    .orderBy('asked_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Whether an archive of the account that was asked for since then was made. */
export async function wasExported(db: Db, accountId: string, since: Date): Promise<boolean> {
  const query = db.selectFrom('account_exports').select('id').where('account_id', '=', accountId)
  const made = query.where('state', 'in', ['ready', 'gone']).where('asked_at', '>=', since)
  return (await made.limit(1).executeTakeFirst()) !== undefined
}

export async function findExport(db: Db, id: string): Promise<ExportRow | undefined> {
  return await db.selectFrom('account_exports').select(columns).where('id', '=', id).executeTakeFirst()
}

export async function findBytes(db: Db, id: string): Promise<Buffer | undefined> {
  const query = db.selectFrom('account_exports').select('bytes').where('id', '=', id).where('state', '=', 'ready')
  return (await query.executeTakeFirst())?.bytes ?? undefined
}

/** Ends the making of one; false: it has ended. */
export async function endMaking(
  trx: Trx,
  id: string,
  made: Partial<Pick<Selectable<AccountExportsTable>, 'ready_at' | 'until_at' | 'size' | 'bytes'>> & {
    state: 'ready' | 'failed'
  },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('account_exports')
    .set(made)
    .where('id', '=', id)
    .where('state', '=', 'making')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Removes the bytes of those whose time is over; returns these exports. */
export async function dropExports(trx: Trx, now: Date): Promise<Ended[]> {
  return await trx
    .updateTable('account_exports')
    .set({ state: 'gone', bytes: null })
    .where('state', '=', 'ready')
    .where('until_at', '<=', now)
    .returning(['id', 'account_id as account'])
    .execute()
}

/**
 * Marks as failed those that have been in the making since before `before`, and returns them: their job was discarded,
 * or killed in its last attempt.
 */
export async function failMaking(trx: Trx, before: Date): Promise<Ended[]> {
  return await trx
    .updateTable('account_exports')
    .set({ state: 'failed' })
    .where('state', '=', 'making')
    .where('asked_at', '<', before)
    .returning(['id', 'account_id as account'])
    .execute()
}
