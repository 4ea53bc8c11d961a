import { createTestClock, createTestDatabase, type TestDatabase } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type Database } from '../../../platform/db/index.ts'
import { type Desk, instanceTerms, openDesk } from '../testing/billing-desk.ts'
import { assumeCards, type Cards } from '../time/assume-cards.ts'
import { foresee, foreseeNext } from './forecast.ts'

const start = new Date('2027-01-31T12:00:00Z')
const clock = createTestClock(start)
let scratch: TestDatabase
let database: Database
let desk: Desk
let card: { id: string; gateway: string } | null

beforeAll(async () => {
  scratch = await createTestDatabase()
  database = createDatabase({ connectionString: scratch.url })
})
afterAll(async () => {
  await database.close()
  await scratch.drop()
})
beforeEach(async () => {
  clock.set(start)
  desk = await openDesk(database, { clock, findMethod: async () => card })
  card = { id: await desk.keepCard(), gateway: 'sandbox' }
})

const charge = (cards: Cards) =>
  desk.transact((trx) => assumeCards(desk.deps, trx, { userid: desk.userid, at: clock.now(), cards }))

async function order(prices: number[]) {
  const { userid, billing } = desk
  const clusterId = await desk.insertCluster()
  const instances = []
  for (const price of prices) {
    instances.push({ instanceId: await desk.insertMachine(clusterId), terms: instanceTerms(price) })
  }
  const facts = { userid, clusterId, instances, at: clock.now(), coupons: [], method: card }
  await desk.transact((trx) => billing.order(trx, facts))
  await charge('pay')
}

/** Every row of the account's money, and the work that waits. */
const everything = async () =>
  (
    await database.pool.query(
      `select (select json_agg(invoices order by id) from invoices where userid = $1) as invoices,
        (select json_agg(payments order by id) from payments where userid = $1) as payments,
        (select json_agg(items order by id) from subscription_items items where userid = $1) as items,
        (select json_agg(due_items order by kind, object) from due_items where userid = $1) as due,
        (select count(*) from ledger_transactions where book = $1) as posted,
        (select clock_offset_ms from accounts where userid = $1) as ahead,
        (select count(*) from changes) as changes, (select count(*) from graphile_worker._private_jobs) as jobs`,
      [desk.userid],
    )
  ).rows[0]

/** Lives until then, cards answering at once. */
async function live(until: Date, cards: Cards) {
  for (;;) {
    const { rows } = await database.pool.query<{ at: Date | null }>(
      'select min(greatest(wall_at, retry_at)) as at from due_items where userid = $1',
      [desk.userid],
    )
    const at = rows[0]?.at
    if (!at || at > until) return
    if (at > clock.now()) clock.set(at)
    await desk.runDue()
    await charge(cards)
  }
}

const issuedAfter = async (at: Date) =>
  (
    await database.pool.query(
      'select issued_at as at, kind, total_minor as amount, state from invoices where userid = $1 and issued_at > $2 order by issued_at',
      [desk.userid, at],
    )
  ).rows.map((row) => ({ ...row, at: row.at.toISOString() }))

const asked = (months: number, cards: Cards) =>
  foresee(desk.deps, { userid: desk.userid, months, cards, locale: 'en-US' })

describe('a forecast', () => {
  test('where cards pay is what then happens, document by document, and leaves nothing behind', async () => {
    await desk.credit(2000)
    await desk.grant(700, start, new Date('2027-04-10T00:00:00Z'))
    await order([1440, 900])
    clock.set(new Date('2027-02-09T01:00:00Z'))
    await order([500])
    const before = await everything()
    const { documents } = await asked(12, 'pay')
    expect(await everything()).toEqual(before)
    expect(documents).toHaveLength(24)
    expect(documents[0]).toMatchObject({
      ...{ at: '2027-02-28T12:00:00.000Z', kind: 'renewal', amount: 2340, currency: 'usd', state: 'paid' },
      items: expect.arrayContaining([
        {
          ...{ productName: 'bay 1440', amount: 1440, quantity: 1, proration: false },
          periodStart: Date.parse('2027-02-28T12:00:00Z') / 1000,
          periodEnd: Date.parse('2027-03-31T12:00:00Z') / 1000,
        },
      ]),
    })
    const from = clock.now()
    await live(new Date('2028-02-09T01:00:00Z'), 'pay')
    expect(documents.map(({ at, kind, amount, state }) => ({ at, kind, amount, state }))).toEqual(
      await issuedAfter(from),
    )
    const { rows } = await database.pool.query(
      `select promo_minor as "fromPromo", balance_minor as "fromBalance", card_minor as "toCard", rolled_minor as "rolledOver"
       from payments join invoices on invoices.id = invoice_id where payments.userid = $1 and issued_at > $2 order by issued_at`,
      [desk.userid, from],
    )
    expect(documents).toMatchObject(rows)
  })

  test('where cards decline ends with what is given up, as it then does', async () => {
    await order([1440])
    clock.set(new Date('2027-02-01T00:00:00Z'))
    const { documents } = await asked(6, 'decline')
    expect(documents).toMatchObject([
      { at: '2027-02-28T12:00:00.000Z', amount: 1440, state: 'uncollectible', closedAt: '2027-03-19T12:00:00.000Z' },
    ])
    expect(await asked(1, 'decline')).toMatchObject({ documents: [{ state: 'open', closedAt: null }] })
  })

  test('of the next bill says how it is paid; none comes where nothing renews', async () => {
    expect(await foreseeNext(desk.deps, { userid: desk.userid, locale: 'en-US' })).toEqual({ upcoming: null })
    await desk.credit(1640)
    await order([1440])
    const { upcoming } = await foreseeNext(desk.deps, { userid: desk.userid, locale: 'en-US' })
    expect(upcoming).toMatchObject({ at: '2027-02-28T12:00:00.000Z', amount: 1440, fromBalance: 200, toCard: 1240 })
  })
})
