/** The ledger: what every account owes and owns, as double entry that nobody can change unseen (ADR 0015). */
import type { Job } from '../../platform/jobs/index.ts'
import { ledgerDays } from './jobs/ledger-days.ts'
import { ledgerSeal, type SealDeps } from './jobs/ledger-seal.ts'

export { balanceRecordsOf, countPostings } from './balance-records.ts'
export { addUpDays, type DaySum, type JournalLine, journalOf, sumMonths } from './jobs/ledger-days.ts'
export { ledgerKeyMove } from './ledger-key-move.ts'
export {
  type AnyPosting,
  balanceOf,
  getBalance,
  type Posted,
  type Posting,
  postAllToLedger,
  postToLedger,
} from './ledger-store.ts'
export { balances, postedEntries, postings, sumPosted } from './posted.ts'
export type { Earned, LedgerAccount, Revenue } from './postings.ts'
export { type Book, readBook } from './read-book.ts'
export { verifyLedger } from './verify-ledger.ts'

export interface Ledger {
  jobs: Job[]
}

export function createLedger(deps: SealDeps): Ledger {
  return { jobs: [ledgerSeal(deps), ledgerDays(deps)] }
}
