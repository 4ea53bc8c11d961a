import { sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'
import './ledger-tables.ts'
import { type Currency, type Money, money } from '@atoll/money'
import { entriesOf, type LedgerAccount, type LedgerFacts, type LedgerKind } from './postings.ts'

/** Input of a posting, beside its facts. */
export interface Posting<Kind extends LedgerKind> {
  userid: string
  /** Time of the account. */
  at: Date
  kind: Kind
  facts: LedgerFacts[Kind]
  /** Id of the invoice, payment, credit note or grant that it is about. */
  document: string
  /** Makes the posting idempotent: a second posting with the same key changes nothing and returns the first one. */
  key: string
}

/** Of whichever kind. */
export type AnyPosting = { [Kind in LedgerKind]: Posting<Kind> }[LedgerKind]

/** Where a transaction stands in its book. */
export interface Posted {
  seq: number
  hash: string
  /** False: the key had been posted before. */
  isNew: boolean
}

/**
 * Posts one transaction to the account's book, which is made with the first one; the book stays locked until `trx`
 * ends. Throws for facts that `entriesOf` refuses, for another currency than the book's, for more than was given or set
 * aside, and for a key of another book.
 */
export async function postToLedger<Kind extends LedgerKind>(trx: Trx, posting: Posting<Kind>): Promise<Posted> {
  const [posted] = await postAllToLedger(trx, [posting as AnyPosting]) // of one of the kinds
  if (!posted) throw new Error('ledger_post answered nothing')
  return posted
}

/** As `postToLedger` for each, one after the other in one round trip: each sees what those before it posted. */
export async function postAllToLedger(trx: Trx, postings: readonly AnyPosting[]): Promise<Posted[]> {
  if (postings.length === 0) return []
  const calls = postings.map(({ userid, at, kind, facts, document, key }) => {
    const entries = entriesOf(kind, facts)
    return sql`select posted_seq as seq, posted_hash as hash, is_new as "isNew" from ledger_post(
      ${userid}, ${entries[0]?.amount.currency}, ${at}, ${kind}, ${document}, ${key},
      ${entries.map(({ account }) => account)}::text[], ${entries.map(({ amount }) => amount.minor)}::bigint[])`
  })
  const { rows } = await sql<Posted>`${sql.join(calls, sql` union all `)}`.execute(trx)
  return rows
}

/** The query of what stands on an account of the book, minor units, to be part of another; no row where nothing was. */
export function balanceOf(db: Db, userid: string, account: LedgerAccount) {
  return db
    .selectFrom('ledger_balances')
    .select('balance_minor')
    .where('book', '=', userid)
    .where('account', '=', account)
}

/** Balance of an account in the book; zero if nothing was posted yet. */
export async function getBalance(db: Db, userid: string, account: LedgerAccount, currency: Currency): Promise<Money> {
  const row = await db
    .selectFrom('ledger_balances')
    .innerJoin('ledger_books', 'ledger_books.userid', 'ledger_balances.book')
    .select(['balance_minor', 'currency'])
    .where('book', '=', userid)
    .where('account', '=', account)
    .executeTakeFirst()
  return row ? money(row.balance_minor, row.currency) : money(0, currency)
}
