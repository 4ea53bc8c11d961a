import { createTestClock } from '@atoll/testkit'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { accountNow } from '../../accounts/index.ts'
import { findTravel, saveTravel } from '../records/travel-store.ts'
import { type Harness, instanceTerms, openHarness } from '../testing/billing-harness.ts'
import { getCustomerInfo } from '../views/customer-info.ts'
import { assumeCards, type Cards } from './assume-cards.ts'
import { foresee } from './forecast.ts'
import { travel } from './travel-service.ts'

const start = new Date('2027-01-31T12:00:00Z')
const clock = createTestClock(start)
const database = useDatabase()
let harness: Harness

beforeEach(async () => {
  clock.set(start)
  harness = await open()
})

async function open(): Promise<Harness> {
  const card = { id: '', gateway: 'sandbox' }
  const own = await openHarness(database, { clock, findMethod: async () => card })
  card.id = await own.keepCard()
  return own
}

const now = async ({ userid, deps } = harness) =>
  accountNow(await deps.accounts.getLimits(database.db, userid), clock.now())
const at = async (own: Harness) => ({ userid: own.userid, at: await now(own) })

const charge = async (cards: Cards, own = harness) => {
  const when = await at(own)
  await own.transact((trx) => assumeCards(own.deps, trx, { ...when, cards }))
}

async function order(prices: number[], own = harness): Promise<string> {
  const { userid, billing, deps } = own
  const clusterId = await own.insertCluster()
  const instances: { instanceId: string; terms: ReturnType<typeof instanceTerms> }[] = []
  for (const price of prices) {
    instances.push({ instanceId: await own.insertInstance(clusterId), terms: instanceTerms(price) })
  }
  const method = await deps.findMethod(database.db, userid)
  const when = await now(own)
  await own.transact((trx) => billing.order(trx, { userid, clusterId, instances, at: when, coupons: [], method }))
  await charge('pay', own)
  return clusterId
}

/** Runs the job as the queue would, cards answering in between, until the clock is there or has stopped. */
async function carry(cards: Cards, own = harness): Promise<void> {
  const job = own.billing.jobs.find(({ name }) => name === 'billing.travel')
  for (;;) {
    await job?.run({ userid: own.userid }, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
    const row = await findTravel(database.db, own.userid)
    if (!row || row.stopped_before) return
    await charge(cards, own)
  }
}

const send = (target: Date, destroy: string[], own = harness) =>
  own.transact((trx) => saveTravel(trx, { userid: own.userid, target, destroy }))

const issuedAfter = async (when: Date, own = harness) =>
  (
    await database.pool.query(
      `select issued_at as at, kind, total_minor as amount, state, closed_at as "closedAt" from invoices
       where userid = $1 and issued_at > $2 order by issued_at, number`,
      [own.userid, when],
    )
  ).rows.map((row) => ({ ...row, at: row.at.toISOString(), closedAt: row.closedAt?.toISOString() ?? null }))

describe('a clock that travels', () => {
  test('makes of any life what its forecast said, document by document and mail by mail', async () => {
    const life = fc.record({
      credit: fc.nat(6000),
      promo: fc.nat(900),
      clusters: fc.array(
        fc.record({
          prices: fc.array(fc.integer({ min: 60, max: 2500 }), { minLength: 1, maxLength: 2 }),
          hour: fc.nat(400),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      cards: fc.constantFrom<Cards>('pay', 'decline'),
      months: fc.integer({ min: 1, max: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(life, async ({ credit, promo, clusters, cards, months }) => {
        clock.set(start)
        const own = await open()
        if (credit > 0) await own.credit(credit)
        if (promo > 0) await own.grant(promo, start, new Date('2027-03-20T00:00:00Z'))
        const ids = []
        for (const { prices, hour } of clusters.toSorted((a, b) => a.hour - b.hour)) {
          clock.set(new Date(start.getTime() + hour * 3_600_000))
          ids.push(await order(prices, own))
        }
        clock.advance(60_000)
        const from = clock.now()
        await database.pool.query("update accounts set email = 'reef@mail.example' where account_id = $1", [own.userid])
        const { documents, mails } = await foresee(own.deps, { userid: own.userid, months, cards, locale: 'en-US' })
        const target = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1))
        await send(target, ids, own)
        await carry(cards, own)
        const shown = documents.map(({ at, kind, amount, state, closedAt }) => ({ at, kind, amount, state, closedAt }))
        const issued = await issuedAfter(from, own)
        // The forecast may look further than the first of that month; what became of the rest is the same until then.
        const until = target.toISOString()
        const known = shown.filter(({ at }) => at <= until)
        expect(issued.map(({ at, kind, amount }) => ({ at, kind, amount }))).toEqual(
          known.map(({ at, kind, amount }) => ({ at, kind, amount })),
        )
        const isOver = ({ closedAt }: { closedAt: string | null }) => closedAt !== null && closedAt <= until
        expect(issued.filter(isOver)).toEqual(known.filter(isOver))
        const { rows: mailed } = await database.pool.query(
          'select at, kind from billing_mails where userid = $1 order by at, key collate "C"',
          [own.userid],
        )
        expect(mailed.map(({ at, kind }) => ({ at: at.toISOString(), kind, to: 'reef@mail.example' }))).toEqual(
          mails.filter(({ at }) => at <= until),
        )
        expect(await now(own)).toEqual(target)
      }),
      { numRuns: 6 },
    )
  })

  test('stops an hour before a cluster is destroyed, unless that is named; other clocks stand', async () => {
    const other = await open()
    await order([900], other)
    const cluster = await order([1440])
    const before = (await database.pool.query('select * from clusters where id = $1', [cluster])).rows
    const travelOf = async () => (await getCustomerInfo(harness.deps, harness.userid)).travel
    await send(new Date('2027-05-01T00:00:00Z'), [])
    expect(await travelOf()).toEqual({ to: '2027-05-01T00:00:00.000Z', stoppedBefore: [] })
    await carry('decline')
    const stoppedBefore = [{ clusterId: cluster, name: expect.any(String) }]
    expect(await travelOf()).toEqual({ to: '2027-05-01T00:00:00.000Z', stoppedBefore })
    expect(await now()).toEqual(new Date('2027-03-19T11:00:00Z'))
    expect(await findTravel(database.db, harness.userid)).toMatchObject({ stopped_before: [cluster] })
    const state = await database.pool.query('select state from subscription_items where userid = $1', [harness.userid])
    expect(state.rows).toEqual([{ state: 'past_due' }])
    await send(new Date('2027-05-01T00:00:00Z'), [cluster])
    await carry('decline')
    expect(await travelOf()).toBeUndefined()
    expect(await now()).toEqual(new Date('2027-05-01T00:00:00Z'))
    expect(await issuedAfter(start)).toMatchObject([{ state: 'uncollectible', closedAt: '2027-03-19T12:00:00.000Z' }])
    expect((await database.pool.query('select * from clusters where id = $1', [cluster])).rows).toEqual(before)
    expect(await now(other)).toEqual(start)
    expect(await issuedAfter(start, other)).toEqual([])
    const { rows } = await database.pool.query(
      'select from_at, to_at from clock_jumps where userid = $1 order by from_at',
      [harness.userid],
    )
    expect(rows[0].from_at).toEqual(start)
    for (const [index, jump] of rows.slice(1).entries()) expect(jump.from_at).toEqual(rows[index]?.to_at)
  })

  test('goes forward only, not too far, and where payments are a test', async () => {
    const ask = (to: string, gateway: 'sandbox' | 'stripe' = 'sandbox') =>
      travel(
        { ...harness.deps, gateway: { name: gateway } },
        { userid: harness.userid, sessionId: 'ss_test', ip: '127.0.0.1' },
        { to, destroy: [] },
      )
    await expect(ask('2027-01-31T12:00:00Z')).rejects.toMatchObject({ key: 'travelNotForward' })
    await expect(ask('2029-02-01T12:00:00Z')).rejects.toMatchObject({ key: 'travelTooFar' })
    await expect(ask('2027-02-01T12:00:00Z', 'stripe')).rejects.toMatchObject({ key: 'travelOff' })
    expect(await now()).toEqual(start)
  })
})
