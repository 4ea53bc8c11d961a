import type { Db } from '../../platform/db/index.ts'
import './ledger-tables.ts'
import type { LedgerKind } from './postings.ts'

/** What the customer has: cash, which may be owed too, and promotional credit. */
export type CustomerAccount = 'cash' | 'promo'

export interface BalanceFilter {
  account?: CustomerAccount | undefined
  kind?: LedgerKind | undefined
  /** On the account's clock; inclusive below, exclusive above. */
  from?: Date | undefined
  to?: Date | undefined
}

/** Every change of what a customer has, the newest first. */
export function balanceRecordsOf(db: Db, userid: string, { account, kind, from, to }: BalanceFilter) {
  const accounts: CustomerAccount[] = account === undefined ? ['cash', 'promo'] : [account]
  let query = db
    .selectFrom('ledger_entries as entry')
    .innerJoin('ledger_transactions as posting', (join) =>
      join.onRef('posting.book', '=', 'entry.book').onRef('posting.seq', '=', 'entry.seq'),
    )
    .select(['entry.seq', 'entry.account', 'entry.amount_minor', 'entry.balance_after'])
    .select(['posting.at', 'posting.kind', 'posting.document'])
    .where('entry.book', '=', userid)
    .where('entry.account', 'in', accounts)
    .orderBy('entry.seq', 'desc')
    .orderBy('entry.line')
  if (kind !== undefined) query = query.where('posting.kind', '=', kind)
  if (from !== undefined) query = query.where('posting.at', '>=', from)
  if (to !== undefined) query = query.where('posting.at', '<', to)
  return query
}

/** How many transactions the account's book has. */
export async function countPostings(db: Db, userid: string): Promise<number> {
  const book = await db.selectFrom('ledger_books').select('seq').where('userid', '=', userid).executeTakeFirst()
  return book?.seq ?? 0
}
