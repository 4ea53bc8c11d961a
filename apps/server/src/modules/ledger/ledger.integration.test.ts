import { randomUUID } from 'node:crypto'
import { money } from '@atoll/money'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createSealer } from '../../platform/crypto.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { type AnyPosting, getBalance, postAllToLedger, verifyLedger } from './index.ts'
import { ledgerSeal } from './jobs/ledger-seal.ts'
import type { LedgerFacts, LedgerKind } from './postings.ts'
import { anyFacts, usd } from './testing/any-facts.ts'
import { insertOwner, post } from './testing/ledger-book.ts'

const sealer = createSealer(Buffer.alloc(32, 7))
const jobContext = { log: silentLog, signal: new AbortController().signal, attempt: 1 }
const database = useDatabase({ max: 12 })
let owner: string

beforeEach(async () => {
  owner = await insertOwner(database)
})

const sql = (text: string, values: unknown[] = []) => database.pool.query(text, values)
const verify = (userid?: string) => verifyLedger(database.db, { sealer, userid })
const seal = () => ledgerSeal({ db: database.db, clock: systemClock, sealer }).run(undefined, jobContext)
const put = (kind: LedgerKind, facts: LedgerFacts[LedgerKind], { userid = owner, key = randomUUID() as string } = {}) =>
  post(database, { userid, at: new Date(), kind, facts, document: 'iv_1', key })
const give = (minor: number, more?: { userid?: string; key?: string }) => put('adjust', { amount: usd(minor) }, more)

describe('a book', () => {
  it('holds whatever is posted: even transactions, balances that are the sums of entries, each key once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyFacts, { minLength: 1, maxLength: 12 }), async (postings) => {
        const userid = await insertOwner(database)
        // Enough to set aside and to lapse in any order.
        await put('grant', { amount: usd(100_000_000) }, { userid })
        await put('hold', { cash: usd(100_000_000), promo: usd(50_000_000) }, { userid })
        const keyed = postings.map(([kind, facts]) => ({ kind, facts, more: { userid, key: randomUUID() } }))
        const first = []
        for (const { kind, facts, more } of keyed) first.push(await put(kind, facts, more))
        expect(first.map(({ seq, isNew }) => [seq, isNew])).toEqual(keyed.map((_, index) => [index + 3, true]))
        for (const [index, { kind, facts, more }] of keyed.entries()) {
          expect(await put(kind, facts, more)).toEqual({ ...first[index], isNew: false })
        }
        const { rows } = await sql(
          `select (select count(*) from ledger_transactions where book = $1) as transactions,
            not exists (select from ledger_entries where book = $1 group by seq having sum(amount_minor) <> 0) as even,
            not exists (select from (select account, sum(amount_minor) as sum from ledger_entries where book = $1
              group by account) added full join (select * from ledger_balances where book = $1) shown using (account)
              where sum is distinct from balance_minor) as added`,
          [userid],
        )
        expect(rows).toEqual([{ transactions: keyed.length + 2, even: true, added: true }])
        expect(await verify(userid)).toEqual({ whole: true, books: 1, transactions: keyed.length + 2 })
      }),
      { numRuns: 25 },
    )
  })

  it('takes several in one round trip as one after the other: each sees those before it, and all of them or none', async () => {
    const about = { userid: owner, at: new Date(), document: 'iv_1' }
    const of = <Kind extends LedgerKind>(kind: Kind, facts: LedgerFacts[Kind], key: string) =>
      ({ ...about, kind, facts, key: `${owner} ${key}` }) as AnyPosting // of this kind
    const [cash, promo] = [usd(0), usd(300)]
    const both = [of('grant', { amount: usd(300) }, 'grant'), of('hold', { cash, promo }, 'hold')]
    const all = (postings: AnyPosting[]) => database.db.transaction().execute((trx) => postAllToLedger(trx, postings))
    expect((await all(both)).map(({ seq, isNew }) => [seq, isNew])).toEqual([
      [1, true],
      [2, true],
    ])
    const more = of('adjust', { amount: usd(100) }, 'more')
    await expect(all([more, of('hold', { cash, promo }, 'too much')])).rejects.toThrow('ledger_entries_credit_check')
    expect((await all([...both, more])).map(({ seq, isNew }) => [seq, isNew])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ])
    expect(await all([])).toEqual([])
    expect(await verify(owner)).toEqual({ whole: true, books: 1, transactions: 3 })
  })

  it('reads its balances, in its own currency before anything is posted too', async () => {
    expect(await getBalance(database.db, owner, 'cash', 'cny')).toEqual(money(0, 'cny'))
    await give(500)
    expect(await getBalance(database.db, owner, 'cash', 'usd')).toEqual(usd(-500))
    expect(await getBalance(database.db, owner, 'promo', 'usd')).toEqual(usd(0))
  })

  it('takes turns when many post at once, to one and to many, under keys of which each counts once', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => insertOwner(database)))
    const userids = [owner, owner, owner, ...others]
    await Promise.all(
      Array.from({ length: 10 }, async (_, client) => {
        for (let n = 0; n < 16; n += 1) {
          const userid = userids[(n + client) % userids.length] ?? owner
          // Two clients share each key.
          await give(100, { userid, key: `${owner} ${userid} ${n} ${client >> 1}` })
        }
      }),
    )
    const { rows } = await sql('select count(*) from ledger_transactions where key like $1', [`${owner} %`])
    const keys = new Set(
      Array.from({ length: 160 }, (_, i) => [i % 16, Math.floor(i / 16)] as const).map(
        ([n, client]) => `${userids[(n + client) % userids.length]} ${n} ${client >> 1}`,
      ),
    )
    expect(rows).toEqual([{ count: keys.size }])
    const own = [...keys].filter((key) => key.startsWith(owner)).length
    expect(await getBalance(database.db, owner, 'cash', 'usd')).toEqual(usd(-100 * own))
    expect(await verify()).toMatchObject({ whole: true })
  })
})

describe('the database', () => {
  beforeEach(async () => {
    await give(500)
    await seal()
  })

  test.each([
    ...['transactions', 'entries', 'seals'].flatMap((table) => [
      `update ledger_${table} set seq = seq`,
      `delete from ledger_${table}`,
      `truncate ledger_${table} cascade`,
    ]),
    'delete from ledger_books',
    'truncate ledger_books cascade',
    `update ledger_books set currency = 'cny'`,
    'update ledger_books set seq = seq - 1',
    'delete from ledger_balances',
    'truncate ledger_balances',
    `update ledger_balances set account = 'writeoff'`,
  ])('refuses %s', async (statement) => {
    await expect(sql(statement)).rejects.toThrow(/append-only/)
    expect(await verify(owner)).toMatchObject({ whole: true, transactions: 1 })
  })

  const asked = `select * from ledger_post($1, 'usd', now(), 'adjust', 'd', gen_random_uuid()::text, $2, $3)`
  it.each([
    ['entries that are not even', ['cash', 'adjust'], [5, -4], 'are not even'],
    ['no entries', [], [], 'are not even'],
    ['an amount without an account', ['cash'], [5, -5], 'are not even'],
    ['an entry of nothing', ['cash', 'adjust', 'promo'], [5, -5, 0], 'ledger_entries_amount_check'],
    ['an account that is none', ['cash', 'elsewhere'], [5, -5], 'ledger_entries_account_check'],
    ['two entries on one account', ['cash', 'cash'], [5, -5], 'cannot affect row a second time'],
    ['promotional credit that was not given', ['promo', 'promo_cost'], [5, -5], 'ledger_entries_credit_check'],
    ['a payment of what was not set aside', ['held:cash', 'receivable'], [5, -5], 'ledger_entries_credit_check'],
  ])('refuses %s', async (_, accounts, amounts, problem) => {
    await expect(sql(asked, [owner, accounts, amounts])).rejects.toThrow(problem)
    expect(await verify(owner)).toMatchObject({ whole: true, transactions: 1 })
  })

  it('refuses rows that are uneven however they come', async () => {
    await expect(sql(`insert into ledger_entries values ($1, 1, 3, 'promo', -5, -5)`, [owner])).rejects.toThrow(
      'not even',
    )
    const alone = `insert into ledger_transactions select book, 2, at, recorded_at, kind, document, key || '2', hash
      from ledger_transactions where book = $1`
    await expect(sql(alone, [owner])).rejects.toThrow('not even')
  })

  it('refuses another currency than the book’s, and a key of another book', async () => {
    await expect(put('adjust', { amount: money(5, 'cny') })).rejects.toThrow('is in usd, not in cny')
    await give(5, { key: `${owner} once` })
    const other = await insertOwner(database)
    await expect(give(5, { userid: other, key: `${owner} once` })).rejects.toThrow('used in another book')
  })
})
