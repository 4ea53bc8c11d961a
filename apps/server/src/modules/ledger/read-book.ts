import type { Trx } from '../../platform/db/index.ts'
import { type ChainedEntry, type ChainedTransaction, firstHashOf } from './ledger-chain.ts'
import { listBooks, listEntries, listTransactions } from './verify-rows.ts'

/** Most transactions of a book that are read at once: a book of 200 invoices has about a thousand. */
const most = 100_000

export interface Book {
  /** The hash that the chain starts from, before the first transaction. */
  first: string
  seq: number
  hash: string
  transactions: (ChainedTransaction & { entries: ChainedEntry[] })[]
}

/** The whole book of an account as it was chained; in `currency`, where nothing was posted yet. */
export async function readBook(trx: Trx, userid: string, currency: string): Promise<Book> {
  const [head] = await listBooks(trx, userid)
  if (!head) {
    const first = firstHashOf(userid, currency)
    return { first, seq: 0, hash: first, transactions: [] }
  }
  const transactions = await listTransactions(trx, userid, { after: undefined, limit: most })
  const entries = Map.groupBy(await listEntries(trx, userid, { after: undefined, to: undefined }), ({ seq }) => seq)
  return {
    first: head.first_hash,
    seq: head.seq,
    hash: head.hash,
    transactions: transactions.map((one) => ({ ...one, entries: entries.get(one.seq) ?? [] })),
  }
}
