import * as fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createSealer } from '../../platform/crypto.ts'
import type { Trx } from '../../platform/db/index.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { ledgerSeal } from './jobs/ledger-seal.ts'
import { anyFacts, usd } from './testing/any-facts.ts'
import { insertOwner, post } from './testing/ledger-book.ts'
import { type LedgerVerdict, verifyBooks } from './verify-ledger.ts'

/** Every column there is, and what is a single changed byte of it. */
const text = ['letter', 'more', 'less'] as const
const figure = ['digit', 'sign', 'huge'] as const
const time = ['microsecond'] as const
const columns = {
  ledger_books: { userid: text, currency: text, first_hash: text, seq: figure, hash: text },
  ledger_transactions: {
    book: text,
    seq: figure,
    at: time,
    recorded_at: time,
    kind: text,
    document: text,
    key: text,
    hash: text,
  },
  ledger_entries: { book: text, seq: figure, line: figure, account: text, amount_minor: figure, balance_after: figure },
  ledger_balances: { book: text, account: text, balance_minor: figure },
  ledger_seals: { book: text, seq: figure, hash: text, mac: text, at: time },
}
type Table = keyof typeof columns
interface Change {
  table: Table
  column: string
  how: (typeof text)[number] | (typeof figure)[number] | (typeof time)[number]
  /** Which row, and which letter or digit. */
  row: number
  place: number
}

const tables = Object.keys(columns) as Table[] // the keys of the object above
const anyChange: fc.Arbitrary<Change> = fc.constantFrom(...tables).chain((table) =>
  fc.constantFrom(...Object.entries(columns[table])).chain(([column, ways]) =>
    fc.record({
      table: fc.constant(table),
      column: fc.constant(column),
      how: fc.constantFrom(...ways),
      row: fc.nat(),
      place: fc.nat(),
    }),
  ),
)

const sealer = createSealer(Buffer.alloc(32, 7))
const database = useDatabase()

beforeAll(async () => {
  const { db, pool } = database
  const owners = [await insertOwner(database), await insertOwner(database), await insertOwner(database)]
  for (const userid of owners) {
    const about = { userid, at: new Date(), document: 'iv_1' }
    await post(database, { ...about, kind: 'grant', facts: { amount: usd(90_000_000) }, key: `${userid} grant` })
    const facts = { cash: usd(90_000_000), promo: usd(40_000_000) }
    await post(database, { ...about, kind: 'hold', facts, key: `${userid} hold` })
    for (const [index, [kind, sampled]] of fc.sample(anyFacts, { numRuns: 8, seed: 11 }).entries()) {
      await post(database, { ...about, kind, facts: sampled, key: `${userid} ${index}` })
    }
    await ledgerSeal({ db, clock: systemClock, sealer }).run(undefined, {
      log: silentLog,
      signal: new AbortController().signal,
      attempt: 1,
    })
    // The last ones of each book are not sealed.
    await post(database, { ...about, kind: 'adjust', facts: { amount: usd(7) }, key: `${userid} last` })
  }
  // Nothing that a superuser could take away is in the way of a change: no constraint is left.
  const { rows } = await pool.query(
    `select conrelid::regclass as table, conname from pg_constraint where conrelid::regclass::text like 'ledger_%'
      and contype in ('c', 'f', 'p', 'u') order by contype = 'p'`,
  )
  for (const { table, conname } of rows) await pool.query(`alter table ${table} drop constraint ${conname} cascade`)
})

/** The changed value of a column, by SQL. */
function changed({ column, how, place }: Change): RawBuilder<unknown> {
  const value = sql.ref(column)
  const at = sql`(${place}::int % greatest(length(${value}::text), 1)) + 1`
  // Another letter or digit of the same kind, so that it may look right.
  const other = sql`translate(substr(${value}::text, ${at}, 1), '0123456789abcdefghijklmnopqrstuvwxyz_:-',
    '1234567890bcdefghijklmnopqrstuvwxyza:_+')`
  switch (how) {
    case 'letter':
      return sql`overlay(${value} placing ${other} || case when ${other} = substr(${value}, ${at}, 1) then '~' else '' end from ${at} for 1)`
    case 'more':
      return sql`${value} || ' '`
    case 'less':
      return sql`left(${value}, -1)`
    case 'digit':
      return sql`${value} + power(10, ${place}::int % greatest(length(abs(${value})::text), 1))::bigint`
    case 'sign':
      return sql`-${value}`
    case 'huge':
      return column === 'line' ? sql`${value} + 1073741824` : sql`${value} + 4611686018427387904`
    case 'microsecond':
      return sql`${value} + interval '1 microsecond'`
  }
}

class Undone extends Error {}

/** The verifier's verdict after the change, and the row's key before and after it; the change is rolled back. */
async function tamper(change: Change): Promise<{ verdict: LedgerVerdict; before: string[]; after: string[] }> {
  let found: Awaited<ReturnType<typeof tamper>> | undefined
  const work = async (trx: Trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    const table = sql.table(change.table)
    const { rows } = await sql<{ place: string }>`select ctid::text as place from ${table} order by ctid`.execute(trx)
    const place = rows[change.row % rows.length]?.place
    const before = await sql<Record<string, unknown>>`select * from ${table} where ctid = ${place}::tid`.execute(trx)
    const after = await sql<Record<string, unknown>>`
      update ${table} set ${sql.ref(change.column)} = ${changed(change)} where ctid = ${place}::tid
      returning ${sql.join(Object.keys(columns[change.table]).map((name) => sql`${sql.ref(name)}::text as ${sql.ref(name)}`))}`.execute(
      trx,
    )
    found = {
      verdict: await verifyBooks(trx, { sealer }),
      before: keysOf(before.rows[0]),
      after: keysOf(after.rows[0]),
    }
    throw new Undone()
  }
  await database.db
    .transaction()
    .execute(work)
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  if (!found) throw new Error('nothing was tried')
  return found
}

/** The key of the row: its book, then its number in the book, its line or account. */
function keysOf(row: Record<string, unknown> = {}): string[] {
  if ('userid' in row) return [String(row['userid'])]
  return ['book', 'seq', 'line', 'account'].flatMap((name) => (name in row ? [bounded(String(row[name]))] : []))
}

/** A number as the verifier names it, which is no larger than what is exact. */
function bounded(text: string): string {
  const most = Number.MAX_SAFE_INTEGER
  return /^-?\d{16,}$/.test(text) ? String(Math.max(-most, Math.min(most, Number(text)))) : text
}

describe('a ledger in which somebody with a superuser’s rights changed one byte', () => {
  it('is whole before', async () => {
    const verdict = await database.db.transaction().execute((trx) => verifyBooks(trx, { sealer }))
    expect(verdict).toEqual({ whole: true, books: 3, transactions: 33 })
  })

  it('is found out, and the row is named, whatever the row and the column', async () => {
    await fc.assert(
      fc.asyncProperty(anyChange, async (change) => {
        const { verdict, before, after } = await tamper(change)
        if (verdict.whole) throw new Error('not found out')
        // Under the key that it had or has; an entry may be named by its transaction, a book by what belongs to it.
        const named = [before, after].some((keys) =>
          verdict.key.every((part, index) => index >= keys.length || keys[index] === String(part)),
        )
        expect({ verdict, named }).toMatchObject({ named: true })
      }),
      { numRuns: 400 },
    )
  })
})
