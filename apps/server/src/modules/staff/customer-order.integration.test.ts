/** The order of the list of customers, over all of its pages. */
import { userSupportAnswer } from '@atoll/contract/accounts'
import { type Customer, customerLook, customersPage } from '@atoll/contract/staff'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Person, type TestApp } from '../../authorization/testing/test-app.ts'

let app: TestApp
let operator: Person
let support: Person
const people: Person[] = []
beforeAll(async () => {
  app = await openTestApp({ ATOLL_SUPPORT_CONSENT: 'asked' })
  ;[operator, support] = [await app.createPerson('User', 'operator'), await app.createPerson('User', 'support')]
  for (let count = 0; count < 9; count += 1) people.push(await app.createPerson())
  await insertMoney(people.map(({ userid }) => userid))
})
afterAll(() => app[Symbol.asyncDispose]())

/** Three pay in yuan, the last one has no currency yet, the one before no ID; some of them have money, owe or pay. */
async function insertMoney(ids: string[]) {
  const run = (statement: string) => sql.raw(statement).execute(app.database.db)
  const id = (at: number) => `'${ids[at]}'`
  await run(`update accounts set currency = 'usd', zone = 'UTC'`)
  await run(`update accounts set currency = 'cny' where account_id in (${[0, 1, 2].map(id)})`)
  await run(`update accounts set currency = null, zone = null where account_id = ${id(8)}`)
  await run(`delete from names using accounts where account_id = ${id(7)} and names.did = accounts.did`)
  const balances: [number, number][] = [[0, 300], [3, 500], [4, -200], [5, 500]] // biome-ignore format: pairs
  for (const [at, cents] of balances)
    await run(`select ledger_post(account_id, currency, now(), 'adjust', 'credit', 'credit ${at}',
      array['cash', 'adjust'], array[${-cents}, ${cents}]) from accounts where account_id = ${id(at)}`)
  await run(`insert into prices (id, terms, created_at) values ('price_' || repeat('7', 64), '{"amount": 700}', now())`)
  // Documents and items have triggers and keys of their own, which these rows do without.
  await app.database.db.transaction().execute(async (trx) => {
    const insert = (statement: string) => sql.raw(statement).execute(trx)
    await insert('set local session_replication_role = replica')
    await insert(`insert into invoices (id, userid, number, kind, currency, gross_minor, discount_minor, total_minor,
        issued_at, recorded_at, state, closed_at)
      select 'iv_' || cents, owner, 'R-' || cents, 'renewal', 'usd', cents, 0, cents, now(), now(), state, closed
      from (values (${id(1)}, 900, 'open', null), (${id(3)}, 20, 'open', null), (${id(3)}, 30, 'open', null),
        (${id(5)}, 4000, 'uncollectible', now())) bill (owner, cents, state, closed)`)
    await insert(`insert into subscription_items (id, userid, subscription_id, price_id, state, created_at)
      select 'si_' || owner || n, owner, 'su_order', 'price_' || repeat('7', 64), 'active', now()
      from (values (${id(0)}, 1), (${id(3)}, 2), (${id(4)}, 3)) own (owner, items), generate_series(1, items) n`)
    await insert(`insert into account_holds (id, account_id, scope, reason, text, held_by, held_at)
      values ('ho_order', ${id(4)}, 'servers', 'abuse', '', ${id(4)}, now())`)
  })
}

/** The customers of all pages, two a page. */
async function listAll(reader: Person, filter: object): Promise<Customer[]> {
  const rows: Customer[] = []
  for (let page = 1; ; page += 1) {
    const { customers, rowsNumber } = await reader.api.ask(customersPage, { ...filter, page, rowsPerPage: 2 })
    rows.push(...customers)
    if (page * 2 >= rowsNumber) return rows
  }
}

type Key = string | number | null
const idOf = ({ person }: Customer) => person.accountId

/** By the first key that differs, what has none last, and by id. */
function inOrder(rows: Customer[], keysOf: (row: Customer) => Key[]): string[] {
  const compare = (one: Key, other: Key) =>
    one === other ? 0 : one === null ? 1 : other === null ? -1 : one < other ? -1 : 1
  return rows
    .toSorted((a, b) => {
      const [ofA, ofB] = [[...keysOf(a), idOf(a)], [...keysOf(b), idOf(b)]] // biome-ignore format: pairs
      return ofA.map((key, at) => compare(key, ofB[at] ?? null)).find((each) => each !== 0) ?? 0
    })
    .map(idOf)
}

const falling = (figure: number | null) => figure && -figure
const orders = {
  lastSeen: ({ lastSeenAt }) => [-new Date(lastSeenAt).getTime()],
  name: ({ person }) => [person.terminusName],
  owed: ({ currency, owed }) => [currency, falling(owed)],
  balance: ({ currency, balance }) => [currency, falling(balance)],
  monthly: ({ currency, monthly }) => [currency, falling(monthly)],
} satisfies Record<string, (row: Customer) => Key[]>

async function expectOrders(reader: Person, filter: object, count: number) {
  for (const [sort, keysOf] of Object.entries(orders)) {
    const rows = await listAll(reader, { ...filter, sort })
    expect([sort, rows.length, rows.map(idOf)]).toEqual([sort, count, inOrder(rows, keysOf)])
  }
}

test('everybody stands on one page, the largest figure of a currency first', async () => {
  await expectOrders(operator, {}, 11)
  await expectOrders(operator, { currency: 'usd' }, 7)
  await expectOrders(operator, { state: 'active', plan: 0 }, 10)
  const [richest] = await listAll(operator, { currency: 'usd', sort: 'balance' })
  expect(richest).toMatchObject({ balance: 500, monthly: expect.any(Number) })
  const [first, ...others] = await listAll(operator, { currency: 'usd', sort: 'monthly' })
  expect([first?.monthly, ...others.map(({ monthly }) => monthly)]).toEqual([1400, 0, 0, 0, 0, 0, 0])
  const owed = (await listAll(operator, { sort: 'owed' })).map((row) => row.owed)
  expect(owed).toEqual([900, 0, 0, 4000, 50, 0, 0, 0, 0, 0, 0])
})

test('the order says nothing of figures that the reader is not shown', async () => {
  for (const at of [3, 4, 6]) {
    const reason = `asks for ${at}`
    await support.api.ask(customerLook, { accountId: people[at]?.userid ?? '', reason })
    await people[at]?.api.ask(userSupportAnswer, { allows: true, reason })
  }
  await expectOrders(support, {}, 11)
  const rows = await listAll(support, { currency: 'usd', sort: 'balance' })
  expect(rows.map(({ balance }) => balance)).toEqual([500, 0, -200, null, null, null, null])
})
