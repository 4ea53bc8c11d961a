/** The verifier's queries: each field is read exactly as it was hashed, whatever was written into it later. */
import { sql } from 'kysely'
import { boundedInt, exactUtc } from '../../platform/chain/index.ts'
import type { Db } from '../../platform/db/index.ts'
import { didOfAccount } from '../accounts/index.ts'
import { isErased } from '../audit/index.ts'
import type { ChainedEntry, ChainedTransaction } from './ledger-chain.ts'
import './ledger-tables.ts'

export interface BookRow {
  userid: string
  currency: string
  first_hash: string
  seq: number
  hash: string
  /** Null: the account is missing. Books and seals of before are over it. */
  did: string | null
  /** Its DID is gone, as the audit log says. */
  is_erased: boolean
}

/** Books in order of their owners; `userid` narrows to one. */
export async function listBooks(db: Db, userid: string | undefined): Promise<BookRow[]> {
  let query = db
    .selectFrom('ledger_books')
    .select(['userid', 'currency', 'first_hash', boundedInt('seq').as('seq'), 'hash'])
    .select((from) => didOfAccount(from.ref('ledger_books.userid')).$castTo<string | null>().as('did'))
    .select((from) => isErased(from.ref('ledger_books.userid')).as('is_erased'))
    .orderBy('userid')
  if (userid !== undefined) query = query.where('userid', '=', userid)
  return await query.execute()
}

/** The columns that name a row. */
const keyColumns = {
  ledger_transactions: ['book', 'seq'],
  ledger_entries: ['book', 'seq', 'line'],
  ledger_balances: ['book', 'account'],
  ledger_seals: ['book', 'seq'],
} as const

export const tablesOfBooks = Object.keys(keyColumns) as (keyof typeof keyColumns)[] // the keys of the object above

/** The key of the first row of a table whose book does not exist. */
export async function findBookless(
  db: Db,
  table: (typeof tablesOfBooks)[number],
  userid: string | undefined,
): Promise<string[] | undefined> {
  const columns = sql.join(keyColumns[table].map((column) => sql`${sql.ref(column)}::text`))
  const { rows } = await sql<{ key: string[] }>`
    select array[${columns}] as key from ${sql.table(table)}
    where not exists (select from ledger_books where userid = book) and book = coalesce(${userid ?? null}, book)
    order by ${sql.join(keyColumns[table].map((column) => sql.ref(column)))} limit 1`.execute(db)
  return rows[0]?.key
}

export async function listTransactions(
  db: Db,
  book: string,
  { after, limit }: { after: number | undefined; limit: number },
): Promise<ChainedTransaction[]> {
  let query = db
    .selectFrom('ledger_transactions')
    .select([
      boundedInt('seq').as('seq'),
      exactUtc('at').as('at'),
      exactUtc('recorded_at').as('recorded_at'),
      'kind',
      'document',
      'key',
      'hash',
    ])
    .where('book', '=', book)
    .orderBy('ledger_transactions.seq')
    .limit(limit)
  if (after !== undefined) query = query.where('seq', '>', after)
  return await query.execute()
}

/** Entries of the transactions after `after` up to `to`, both left out: of all. */
export async function listEntries(
  db: Db,
  book: string,
  { after, to }: { after: number | undefined; to: number | undefined },
): Promise<ChainedEntry[]> {
  let query = db
    .selectFrom('ledger_entries')
    .select([
      boundedInt('seq').as('seq'),
      'line',
      'account',
      boundedInt('amount_minor').as('amount_minor'),
      boundedInt('balance_after').as('balance_after'),
    ])
    .where('book', '=', book)
    .orderBy('ledger_entries.seq')
    .orderBy('line')
  if (after !== undefined) query = query.where('seq', '>', after)
  if (to !== undefined) query = query.where('seq', '<=', to)
  return await query.execute()
}

export async function listBalances(db: Db, book: string): Promise<{ account: string; balance: number }[]> {
  return await db
    .selectFrom('ledger_balances')
    .select(['account', boundedInt('balance_minor').as('balance')])
    .where('book', '=', book)
    .orderBy('account')
    .execute()
}

export async function listSeals(
  db: Db,
  book: string,
): Promise<{ seq: number; hash: string; mac: string; at: string }[]> {
  return await db
    .selectFrom('ledger_seals')
    .select([boundedInt('seq').as('seq'), 'hash', 'mac', exactUtc('at').as('at')])
    .where('book', '=', book)
    .orderBy('ledger_seals.seq')
    .execute()
}
