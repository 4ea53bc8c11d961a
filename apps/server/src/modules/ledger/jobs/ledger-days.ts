import type { Currency } from '@atoll/money'
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import '../ledger-tables.ts'

interface LedgerDaysTable {
  /** `2027-01-31`, in the zone of the currency's accounts. */
  day: string
  currency: Currency
  kind: string
  account: string
  amount_minor: number
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    ledger_days: LedgerDaysTable
  }
}

/** Days that are added up again each time: an order is posted at the moment that its customer was shown. */
const openDays = 3

/** Sums the postings of each day. Safe to repeat: the last days are recomputed, or all days if the table is empty. */
export function ledgerDays({ db }: { db: Db }): Job {
  return defineTimedJob({
    name: 'ledger.days',
    lane: 'own',
    waits: 'deadline',
    cron: '*/5 * * * *',
    run: () => db.transaction().execute((trx) => addUpDays(trx)),
  })
}

export async function addUpDays(trx: Trx): Promise<void> {
  const { rows } = await sql<{ since: string }>`select to_char(coalesce(
      least(max(day)::date, current_date) - ${openDays}::int, date '2000-01-01'), 'YYYY-MM-DD') as since
    from ledger_days`.execute(trx)
  const since = rows[0]?.since ?? '2000-01-01'
  await trx.deleteFrom('ledger_days').where('day', '>=', since).execute()
  await sql`insert into ledger_days (day, currency, kind, account, amount_minor)
    select day, currency, kind, account, sum(amount_minor) from (
      select to_char(moved.at at time zone (case book.currency when 'cny' then 'Asia/Shanghai' else 'UTC' end),
          'YYYY-MM-DD') as day, book.currency, moved.kind, entry.account, entry.amount_minor
      from ledger_transactions moved
        join ledger_entries entry on entry.book = moved.book and entry.seq = moved.seq
        join ledger_books book on book.userid = moved.book
      where moved.at >= ${since}::date - interval '1 day') posted
    where day >= ${since}
    group by day, currency, kind, account`.execute(trx)
}

export interface DaySum {
  month: string
  kind: string
  account: string
  minor: number
}

/** Sums of a currency's postings per month, from a day on; days from `until` on are left out. */
export async function sumMonths(
  db: Db,
  { currency, since, until }: { currency: Currency; since: string; until: string },
): Promise<DaySum[]> {
  const { rows } = await sql<DaySum>`select left(day, 7) as month, kind, account, sum(amount_minor)::bigint as minor
    from ledger_days where currency = ${currency} and day >= ${since} and day < ${until}
    group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return rows.map((row) => ({ ...row, minor: Number(row.minor) }))
}

export interface JournalLine {
  at: Date
  book: string
  seq: number
  line: number
  kind: string
  document: string
  account: string
  amount_minor: number
  currency: Currency
}

/** Entries of all books in a span, the first first; those after `last`. */
export function journalOf(
  db: Db,
  { currency, from, to }: { currency: Currency; from: Date; to: Date },
  last?: Pick<JournalLine, 'at' | 'book' | 'seq' | 'line'>,
) {
  const query = db
    .selectFrom('ledger_transactions as moved')
    .innerJoin('ledger_entries as entry', (join) =>
      join.onRef('entry.book', '=', 'moved.book').onRef('entry.seq', '=', 'moved.seq'),
    )
    .innerJoin('ledger_books as owned', 'owned.userid', 'moved.book')
    .select(['moved.at', 'moved.book', 'moved.seq', 'entry.line', 'moved.kind', 'moved.document'])
    .select(['entry.account', 'entry.amount_minor', 'owned.currency'])
    .where('moved.at', '>=', from)
    .where('moved.at', '<', to)
    .where('owned.currency', '=', currency)
    .orderBy('moved.at')
    .orderBy('moved.book')
    .orderBy('moved.seq')
    .orderBy('entry.line')
  if (!last) return query
  return query.where((row) =>
    row(
      row.refTuple('moved.at', 'moved.book', 'moved.seq', 'entry.line'),
      '>',
      row.tuple(last.at, last.book, last.seq, last.line),
    ),
  )
}
