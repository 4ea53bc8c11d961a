/** Job billing.verify: each night, and when staff ask, holds the ledger to itself and the documents to the ledger. */
import type { Generated, Selectable } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { verifyLedger } from '../../ledger/index.ts'
import { verifyDocuments } from '../operator/verify-documents.ts'

interface BooksVerifiedTable {
  number: Generated<number>
  at: Date
  books: number
  transactions: number
  /** The problem, with the first row that has it; null if everything is as it was written. */
  problem: string | null
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    books_verified: BooksVerifiedTable
  }
}

export const verifyBooksJob = 'billing.verify'

export function verifyBooks({ db, clock, sealer }: { db: Db; clock: Clock; sealer: Sealer }): Job {
  return defineTimedJob({
    name: verifyBooksJob,
    lane: 'own',
    waits: 'deadline',
    cron: '10 4 * * *',
    async run({ log }) {
      const verdict = await verifyLedger(db, { sealer })
      const bad = verdict.whole ? await verifyDocuments(db) : undefined
      const problem = verdict.whole
        ? bad && `${bad.table} ${bad.id}: ${bad.problem}`
        : `${verdict.table} ${verdict.key.join(' ')}: ${verdict.problem}`
      const counts = verdict.whole ? verdict : { books: 0, transactions: 0 }
      const { books, transactions } = counts
      const row = { at: clock.now(), books, transactions, problem: problem ?? null }
      await db.insertInto('books_verified').values(row).execute()
      if (problem) log.error({ problem }, 'the ledger is not whole')
    },
  })
}

/** The newest verification; undefined: none was made yet. */
export async function findVerified(db: Db): Promise<Omit<Selectable<BooksVerifiedTable>, 'number'> | undefined> {
  const query = db.selectFrom('books_verified').select(['at', 'books', 'transactions', 'problem'])
  return await query.orderBy('number', 'desc').limit(1).executeTakeFirst()
}
