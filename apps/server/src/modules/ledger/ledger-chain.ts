/**
 * The chain of a book as the migration `ledger` makes it (`ledger_hash`): each hash covers the one before it, every
 * field of its transaction and every field of its entries. Before the first one stands a hash over the account's id and
 * the currency, which the book keeps; in books of before over the DID.
 */
import { chainHash, type SealedChain } from '../../platform/chain/index.ts'

/** A transaction as it was hashed; times in UTC to the microsecond, as the database writes them. */
export interface ChainedTransaction {
  seq: number
  at: string
  recorded_at: string
  kind: string
  document: string
  key: string
  hash: string
}

export interface ChainedEntry {
  seq: number
  line: number
  account: string
  amount_minor: number
  balance_after: number
}

/** @param account its id, of books of before its DID */
export function firstHashOf(account: string, currency: string): string {
  return chainHash([account, currency])
}

export function hashOf(
  previous: string,
  { seq, at, recorded_at, kind, document, key }: Omit<ChainedTransaction, 'hash'>,
  entries: readonly ChainedEntry[],
): string {
  const lines = entries.flatMap(({ line, account, amount_minor, balance_after }) => [
    String(line),
    account,
    String(amount_minor),
    String(balance_after),
  ])
  return chainHash([previous, String(seq), at, recorded_at, kind, document, key, ...lines])
}

/**
 * The name that a seal of a book's end is made under: it includes the seal's time as the database writes it. `book` is
 * the account's id or, for seals from before accounts had ids, its DID.
 */
export function sealedChain(book: string, at: string): SealedChain {
  return { use: 'ledger', of: `${book} at ${at}` }
}

/** Both names that a seal of a book may have been made under. */
export function sealedChains({ userid, did }: { userid: string; did: string | null }, at: string): SealedChain[] {
  return [userid, ...(did === null ? [] : [did])].map((book) => sealedChain(book, at))
}
