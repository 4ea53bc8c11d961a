import type { Currency } from '@atoll/money'
import type { LedgerAccount, LedgerKind } from './postings.ts'

/** All of these are written by the SQL function `ledger_post` alone, the seals by the job. */
interface LedgerBooksTable {
  userid: string
  currency: Currency
  /** The hash that the chain starts from, before the first transaction. */
  first_hash: string
  seq: number
  hash: string
}

interface LedgerTransactionsTable {
  book: string
  seq: number
  at: Date
  recorded_at: Date
  kind: LedgerKind
  document: string
  key: string
  hash: string
}

interface LedgerEntriesTable {
  book: string
  seq: number
  line: number
  account: LedgerAccount
  amount_minor: number
  balance_after: number
}

interface LedgerBalancesTable {
  book: string
  account: LedgerAccount
  balance_minor: number
}

interface LedgerSealsTable {
  book: string
  seq: number
  hash: string
  mac: string
  at: Date
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    ledger_books: LedgerBooksTable
    ledger_transactions: LedgerTransactionsTable
    ledger_entries: LedgerEntriesTable
    ledger_balances: LedgerBalancesTable
    ledger_seals: LedgerSealsTable
  }
}
