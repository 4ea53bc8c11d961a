import type { Sealer } from '../../platform/crypto.ts'
import { type Db, inSnapshot, type Trx } from '../../platform/db/index.ts'
import { type BadRow, verifyBook } from './verify-book.ts'
import { findBookless, listBooks, tablesOfBooks } from './verify-rows.ts'

/** The verdict: all books are intact, or the first row that differs from how it was written. */
export type LedgerVerdict = { whole: true; books: number; transactions: number } | ({ whole: false } & BadRow)

interface Verification {
  sealer: Sealer
  /** Whose book alone is read; left out, all are. */
  userid?: string | undefined
}

/** Reads books in one snapshot, and writes nothing. */
export async function verifyLedger(db: Db, verification: Verification): Promise<LedgerVerdict> {
  return await inSnapshot(db, (trx) => verifyBooks(trx, verification))
}

/** The same over what the caller's transaction sees. */
export async function verifyBooks(trx: Trx, { sealer, userid }: Verification): Promise<LedgerVerdict> {
  for (const table of tablesOfBooks) {
    const key = await findBookless(trx, table, userid)
    if (key) return { whole: false, table, key, problem: 'it belongs to no book' }
  }
  const books = await listBooks(trx, userid)
  let transactions = 0
  for (const book of books) {
    const found = await verifyBook(trx, sealer, book)
    if (found.bad) return { whole: false, ...found.bad }
    transactions += found.transactions
  }
  return { whole: true, books: books.length, transactions }
}
