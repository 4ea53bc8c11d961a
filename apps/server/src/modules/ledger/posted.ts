/** Postings, as read-only tables of other modules' queries; each lists its columns. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import './ledger-tables.ts'

/** Transactions: book, seq, kind, document, key. */
export const postings = sql`(select book, seq, kind, document, key from ledger_transactions)`

/** Their entries: book, seq, kind, document, key, account, amount_minor. */
export const postedEntries = sql`(select book, seq, kind, document, key, account, amount_minor
  from ledger_transactions join ledger_entries using (book, seq))`

/** Balances of the ledger's accounts: book, account, balance_minor. */
export const balances = sql`(select book, account, balance_minor from ledger_balances)`

/** The sum posted to a book under `keys`, on the accounts whose names begin with `accounts`. Minor units. */
export async function sumPosted(
  db: Db,
  { userid, keys, accounts }: { userid: string; keys: readonly string[]; accounts: string },
): Promise<number> {
  const { rows } = await sql<{ sum: string | null }>`select sum(amount_minor) as sum from ${postedEntries} entry
    where book = ${userid} and key = any(${[...keys]}::text[]) and account like ${`${accounts}%`}`.execute(db)
  return Number(rows[0]?.sum ?? 0)
}
