/**
 * Suspended subscriptions are neither renewed nor ended for unpaid bills, unless an unpaid bill is the reason of the
 * suspension.
 */
import { createTestClock } from '@atoll/testkit'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { assumeCards, type Cards } from '../due/assume-cards.ts'
import { listHeldUp, resumeBills } from '../records/held-bills.ts'
import { type Harness, instanceTerms, openHarness } from '../testing/billing-harness.ts'

const clock = createTestClock(new Date('2027-01-31T12:00:00Z'))
const database = useDatabase()
let harness: Harness
let card: { id: string; gateway: string }

beforeEach(async () => {
  clock.set(new Date('2027-01-31T12:00:00Z'))
  card = { id: '', gateway: 'sandbox' }
  harness = await openHarness(database, { clock, findMethod: async () => card })
  card.id = await harness.keepCard()
})

const charge = (cards: Cards) =>
  harness.transact((trx) => assumeCards(harness.deps, trx, { userid: harness.userid, at: clock.now(), cards }))

async function order() {
  const { userid, billing } = harness
  const clusterId = await harness.insertCluster()
  const instanceId = await harness.insertInstance(clusterId)
  const instances = [{ instanceId, terms: instanceTerms(1440) }]
  const facts = { userid, clusterId, instances, at: clock.now(), coupons: [], method: card }
  await harness.transact((trx) => billing.order(trx, facts))
  await charge('pay')
  return { clusterId, standing: async () => (await billing.standings(database.db, clusterId)).of(instanceId) }
}

async function runAt(day: string, cards: Cards) {
  clock.set(new Date(`2027-${day}T12:00:00Z`))
  for (const _ of [1, 2]) {
    await harness.runDue()
    await charge(cards)
    clock.advance(61_000)
  }
  await harness.runDue()
}

async function suspend(reason: string, clusterId: string | null = null) {
  await sql`insert into account_holds (id, account_id, cluster_id, scope, reason, text, held_by, held_at)
    select ${`hd_${reason}${clusterId ?? harness.userid}`}, account_id, ${clusterId}, 'servers', ${reason}, 'why', account_id,
      ${clock.now()} from accounts where account_id = ${harness.userid}`.execute(database.db)
}
const release = () =>
  harness.transact(async (trx) => {
    const { userid } = harness
    const own = sql`account_id = ${userid}`
    const { rows } = await sql<{ since: Date }>`select held_at as since from account_holds where ${own}`.execute(trx)
    const bills = await listHeldUp(trx, userid)
    await sql`update account_holds set released_at = ${clock.now()} where ${own}`.execute(trx)
    await resumeBills(trx, { userid, bills, since: rows[0]?.since ?? new Date(), at: clock.now() })
  })
const renewals = async () =>
  (
    await database.pool.query<{ state: string; total: number }>(
      "select state, total_minor as total from invoices where userid = $1 and kind = 'renewal' order by number",
      [harness.userid],
    )
  ).rows

test('nothing is renewed while the account is suspended, and all of it once that is released', async () => {
  await order()
  clock.set(new Date('2027-02-20T12:00:00Z'))
  await suspend('disputed')
  await runAt('02-28', 'pay')
  expect(await renewals()).toEqual([])
  clock.set(new Date('2027-03-02T12:00:00Z'))
  await release()
  await runAt('03-02', 'pay')
  // But for the 2 of 31 days after what was paid had ended.
  expect(await renewals()).toEqual([{ state: 'paid', total: 1347 }])
})

test('periods that a suspension had stopped are passed over, and of the one that goes on the rest is charged', async () => {
  await order()
  await suspend('legal')
  for (const day of ['02-28', '03-31', '04-30']) await runAt(day, 'pay')
  clock.set(new Date('2027-05-16T00:00:00Z'))
  await release()
  await runAt('05-16', 'pay')
  // Of 30 April to 31 May half is left.
  expect(await renewals()).toEqual([{ state: 'paid', total: 720 }])
  await runAt('05-31', 'pay')
  expect(await renewals()).toHaveLength(2)
})

test('what ran while visitors were turned away is charged for all of it', async () => {
  const { clusterId } = await order()
  await suspend('abuse', clusterId)
  await sql`update account_holds set scope = 'visitors' where cluster_id = ${clusterId}`.execute(database.db)
  for (const day of ['02-28', '03-31']) await runAt(day, 'pay')
  await release()
  await runAt('04-01', 'pay')
  expect(await renewals()).toEqual([
    { state: 'paid', total: 1440 },
    { state: 'paid', total: 1440 },
  ])
})

const giveBack = (clusterId: string | null, from: Date) =>
  harness.transact((trx) => harness.billing.giveTimeBack(trx, { userid: harness.userid, clusterId, from }))

test('the time of one that was a mistake is given back, once', async () => {
  const { clusterId } = await order()
  clock.set(new Date('2027-02-10T12:00:00Z'))
  const since = clock.now()
  await suspend('abuse', clusterId)
  // A bill was settled in the instant in which it had stopped the cluster.
  await sql`insert into stopped_spans (subscription_id, from_at, until_at)
    select id, ${since}, ${since} from subscriptions where cluster_id = ${clusterId}`.execute(database.db)
  clock.set(new Date('2027-02-17T12:00:00Z'))
  await release()
  for (const _ of ['once', 'again']) await giveBack(clusterId, since)
  // 7 of 28 days.
  expect(await harness.balance('cash')).toBe(-360)
})

test('time in which a suspension that still lasts stopped a cluster too is not given back for a mistake', async () => {
  const [held] = [await order(), await order()]
  clock.set(new Date('2027-02-10T12:00:00Z'))
  const since = clock.now()
  await suspend('abuse', held.clusterId)
  clock.set(new Date('2027-02-17T12:00:00Z'))
  // One of the account was the mistake: only the cluster without a suspension of its own gets its time back.
  await giveBack(null, since)
  expect(await harness.balance('cash')).toBe(-360)
  await suspend('legal')
  clock.set(new Date('2027-02-24T12:00:00Z'))
  await sql`update account_holds set released_at = ${clock.now()} where cluster_id = ${held.clusterId}`.execute(
    database.db,
  )
  // The cluster's was a mistake, too: of its 14 days 7 were before that of the account.
  await giveBack(held.clusterId, since)
  expect(await harness.balance('cash')).toBe(-720)
})

test('a suspended cluster is not renewed with the others that end on its day', async () => {
  const held = await order()
  await order()
  await suspend('abuse', held.clusterId)
  await runAt('02-28', 'pay')
  expect(await renewals()).toEqual([{ state: 'paid', total: 1440 }])
  await release()
  await runAt('03-01', 'pay')
  expect(await renewals()).toHaveLength(2)
})

test('nothing is given up while it is suspended, and then after the days of grace that were left', async () => {
  const { standing } = await order()
  for (const day of ['02-28', '03-01', '03-03', '03-05', '03-06']) await runAt(day, 'decline')
  expect(await standing()).toBe('overdue')
  clock.set(new Date('2027-03-12T12:00:00Z'))
  await suspend('abuse')
  for (const day of ['03-19', '03-30', '04-20']) await runAt(day, 'decline')
  expect(await standing()).toBe('overdue')
  clock.set(new Date('2027-04-21T12:00:00Z'))
  await release()
  for (const day of ['04-21', '04-26']) await runAt(day, 'decline')
  expect(await standing()).toBe('overdue')
  await runAt('05-01', 'decline')
  expect(await standing()).toBe('graceOver')
})

test('what is suspended for what is owed goes on being collected', async () => {
  const { standing } = await order()
  await runAt('02-28', 'decline')
  await suspend('unpaid')
  for (const day of ['03-01', '03-03', '03-05', '03-06', '03-20']) await runAt(day, 'decline')
  expect(await standing()).toBe('graceOver')
})
