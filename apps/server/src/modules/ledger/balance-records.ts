import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import './ledger-tables.ts'
import type { LedgerKind } from './postings.ts'

/** The customer's accounts: cash, which may also be a debt, and promotional credit. */
export type CustomerAccount = 'cash' | 'promo'

export interface BalanceFilter {
  account?: CustomerAccount | undefined
  kind?: LedgerKind | undefined
  /** On the account's clock; inclusive below, exclusive above. */
  from?: Date | undefined
  to?: Date | undefined
}

/** Documents that are refunds to a card. */
const ofRefund = sql<boolean>`starts_with(posting.document, 'rf_')`
/**
 * A completed refund to a card is shown as one record, its hold: its card_refund posting is left out, and so is a
 * release that was posted together with it. One that was released earlier went to the card after all: all three are
 * shown, because the customer had the amount in between.
 */
const isRepeated = sql<boolean>`${ofRefund} and posting.kind in ('release', 'card_refund')
  and exists (select from ledger_transactions hold where hold.key = posting.document || ' hold')
  and exists (select from ledger_transactions done where done.key = posting.document || ' refunded'
    and not exists (select from ledger_transactions earlier
      where earlier.key = posting.document || ' release' and earlier.at <> done.at))`

/** A refund is set aside as it is given back, and what is released of one was not accepted. */
const shownKind = sql<LedgerKind>`case when ${ofRefund} and posting.kind = 'hold' then 'card_refund'
  when ${ofRefund} and posting.kind = 'release' then 'refund_returned' else posting.kind end`

/** Every change of what a customer has, the newest first. */
export function balanceRecordsOf(db: Db, userid: string, { account, kind, from, to }: BalanceFilter) {
  const accounts: CustomerAccount[] = account === undefined ? ['cash', 'promo'] : [account]
  let query = db
    .selectFrom('ledger_entries as entry')
    .innerJoin('ledger_transactions as posting', (join) =>
      join.onRef('posting.book', '=', 'entry.book').onRef('posting.seq', '=', 'entry.seq'),
    )
    .select(['entry.seq', 'entry.account', 'entry.amount_minor', 'entry.balance_after'])
    .select(['posting.at', shownKind.as('kind'), 'posting.document'])
    .where('entry.book', '=', userid)
    .where(sql<boolean>`not (${isRepeated})`)
    .where('entry.account', 'in', accounts)
    .orderBy('entry.seq', 'desc')
    .orderBy('entry.line')
  if (kind !== undefined) query = query.where(shownKind, '=', kind)
  if (from !== undefined) query = query.where('posting.at', '>=', from)
  if (to !== undefined) query = query.where('posting.at', '<', to)
  return query
}

/** How many transactions the account's book has. */
export async function countPostings(db: Db, userid: string): Promise<number> {
  const book = await db.selectFrom('ledger_books').select('seq').where('userid', '=', userid).executeTakeFirst()
  return book?.seq ?? 0
}
