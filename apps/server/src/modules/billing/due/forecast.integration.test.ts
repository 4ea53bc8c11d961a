import { addMonths } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import type { Method } from '../pay/begin-payment.ts'
import { forgetWaits } from '../records/travel-store.ts'
import { changePlan, requestPlan } from '../sell/change-plan.ts'
import { type Harness, instanceTerms, openHarness } from '../testing/billing-harness.ts'
import { openChargingHarness } from '../testing/charging-harness.ts'
import { catalogOf, testPlans } from '../testing/test-plans.ts'
import type { Meters } from '../usage/meters.ts'
import { setCap } from '../usage/set-cap.ts'
import { assumeCards, type Cards } from './assume-cards.ts'
import { readAssumed } from './assume-usage.ts'
import { foresee } from './forecast.ts'

const start = new Date('2027-01-31T12:00:00Z')
const clock = createTestClock(start)
const database = useDatabase()
let harness: Harness
let card: { id: string; gateway: string } | null

beforeEach(async () => {
  clock.set(start)
  harness = await openHarness(database, { clock, findMethod: async () => card })
  card = { id: await harness.keepCard(), gateway: 'sandbox' }
  await giveAddress(harness.userid)
})

const address = 'reef@mail.example'
const giveAddress = (userid: string) =>
  database.pool.query('update accounts set email = $2 where account_id = $1', [userid, address])

/** The mails that were written since. */
const mailedAfter = async (at: Date, { userid } = harness) =>
  (
    await database.pool.query(
      'select at, kind from billing_mails where userid = $1 and at > $2 order by at, key collate "C"',
      [userid, at],
    )
  ).rows.map(({ at, kind }) => ({ at: at.toISOString(), kind, to: address }))

const charge = (cards: Cards) =>
  harness.transact((trx) => assumeCards(harness.deps, trx, { userid: harness.userid, at: clock.now(), cards }))

async function order(prices: number[]) {
  const { userid, billing } = harness
  const clusterId = await harness.insertCluster()
  const instances = []
  for (const price of prices) {
    instances.push({ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(price) })
  }
  const facts = { userid, clusterId, instances, at: clock.now(), coupons: [], method: card }
  await harness.transact((trx) => billing.order(trx, facts))
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
        (select clock_offset_ms from accounts where account_id = $1) as ahead,
        (select count(*) from billing_mails where userid = $1) as mails,
        (select count(*) from changes) as changes, (select count(*) from graphile_worker._private_jobs) as jobs`,
      [harness.userid],
    )
  ).rows[0]

/** Lives until then, cards answering at once. */
async function live(until: Date, cards: Cards) {
  for (;;) {
    const { rows } = await database.pool.query<{ at: Date | null }>(
      'select min(greatest(wall_at, retry_at)) as at from due_items where userid = $1',
      [harness.userid],
    )
    const at = rows[0]?.at
    if (!at || at > until) return
    if (at > clock.now()) clock.set(at)
    await harness.runDue()
    await charge(cards)
  }
}

const issuedAfter = async (at: Date) =>
  (
    await database.pool.query(
      'select issued_at as at, kind, total_minor as amount, state from invoices where userid = $1 and issued_at > $2 order by issued_at',
      [harness.userid, at],
    )
  ).rows.map((row) => ({ ...row, at: row.at.toISOString() }))

const asked = (months: number, cards: Cards) =>
  foresee(harness.deps, { userid: harness.userid, months, cards, locale: 'en-US' })

describe('a forecast', () => {
  test('where cards pay is what then happens, document by document, and leaves nothing behind', async () => {
    await harness.credit(2000)
    await harness.grant(700, start, new Date('2027-04-10T00:00:00Z'))
    await order([1440, 900])
    clock.set(new Date('2027-02-09T01:00:00Z'))
    await order([500])
    const before = await everything()
    const { documents, mails } = await asked(12, 'pay')
    expect(await everything()).toEqual(before)
    expect(documents).toHaveLength(24)
    expect(documents[0]).toMatchObject({
      at: '2027-02-28T12:00:00.000Z',
      kind: 'renewal',
      amount: 2340,
      currency: 'usd',
      state: 'paid',
      items: expect.arrayContaining([
        {
          productName: 'bay 1440',
          amount: 1440,
          quantity: 1,
          proration: false,
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
      [harness.userid, from],
    )
    expect(documents).toMatchObject(rows)
    expect(mails).toEqual(await mailedAfter(from))
    expect(new Set(mails.map(({ kind }) => kind))).toEqual(new Set(['renewalSoon', 'receipt']))
  })

  test('with assumed usage is what then happens when so much is used, whatever the plan and the cap', async () => {
    const hourMs = 3_600_000
    const draw = fc.record({
      level: fc.constantFrom(1, 2),
      // 10^-6 GB an hour.
      hourly: fc.integer({ min: 0, max: 4_000_000 }),
      stored: fc.integer({ min: 0, max: 400 }),
      cap: fc.option(fc.integer({ min: 0, max: 3000 })),
      hoursLater: fc.integer({ min: 1, max: 600 }),
    })
    let kinds = new Set<string>()
    await fc.assert(
      fc.asyncProperty(draw, async ({ level, hourly, stored, cap, hoursLater }) => {
        clock.set(start)
        // So much flows in each whole hour, and lies there all the time; known ten minutes after the hour.
        const meters: Meters = {
          async read(_, { productType: product, from, to }) {
            const hours = BigInt(Math.round((to.getTime() - from.getTime()) / hourMs))
            const flow = product === 'cloud_traffic' ? BigInt(hourly) * hours : 0n
            const used = product === 'cloud_storage' ? BigInt(stored) * 1_000_000n : flow
            const complete = clock.now().getTime() >= Math.ceil(to.getTime() / hourMs) * hourMs + 600_000
            return { used, unitLabel: 'GB', asOf: to, complete, parts: [], digest: 'd' }
          },
        }
        harness = await openHarness(database, {
          clock,
          catalog: catalogOf(testPlans),
          meters,
          findMethod: async () => card,
        })
        card = { id: await harness.keepCard(), gateway: 'sandbox' }
        const caller = {
          userid: harness.userid,
          did: 'did:key:zTest',
          sessionId: 'ss_test',
          role: 'User' as const,
          ip: '127.0.0.1',
        }
        await harness.credit(100_000)
        await requestPlan(harness.deps, caller, { planLevel: level })
        if (cap !== null) await setCap(harness.deps, caller, { amount: cap })
        clock.set(new Date(start.getTime() + hoursLater * hourMs))
        const usage = readAssumed({
          cloud_traffic: String((hourly * 720) / 1_000_000),
          cloud_storage: String(stored),
        })
        const { documents } = await foresee(harness.deps, {
          userid: harness.userid,
          months: 3,
          cards: 'pay',
          usage,
          locale: 'en-US',
        })
        const from = clock.now()
        await live(addMonths(from, 3, 'UTC'), 'pay')
        expect(documents.map(({ at, kind, amount, state }) => ({ at, kind, amount, state }))).toEqual(
          await issuedAfter(from),
        )
        kinds = kinds.union(new Set(documents.map(({ kind }) => kind)))
        expect(cap === null || documents.every(({ kind, amount }) => kind !== 'usage' || amount <= cap)).toBe(true)
      }),
      { numRuns: 8, seed: 11, endOnFailure: true },
    )
    expect(kinds).toEqual(new Set(['renewal', 'usage']))
  })

  test('names the mails of a quota and of the cap at the hour in which they are then written', async () => {
    const hourMs = 3_600_000
    // So much flows in each whole hour, known ten minutes after it.
    const meters: Meters = {
      async read(_, { productType: product, from, to }) {
        const known = Math.floor((clock.now().getTime() - 600_000) / hourMs) * hourMs
        const hours = Math.max(0, (Math.min(to.getTime(), known) - from.getTime()) / hourMs)
        const used = product === 'cloud_traffic' ? BigInt(Math.ceil(hours)) * 1_000_000n : 0n
        const complete = clock.now().getTime() >= Math.ceil(to.getTime() / hourMs) * hourMs + 600_000
        return { used, unitLabel: 'GB', asOf: to, complete, parts: [], digest: 'd' }
      },
    }
    harness = await openHarness(database, {
      clock,
      catalog: catalogOf(testPlans),
      meters,
      findMethod: async () => card,
    })
    card = { id: await harness.keepCard(), gateway: 'sandbox' }
    await giveAddress(harness.userid)
    const { userid } = harness
    const caller = { userid, did: 'did:key:zTest', sessionId: 'ss_test', role: 'User' as const, ip: '127.0.0.1' }
    await harness.credit(100_000)
    await requestPlan(harness.deps, caller, { planLevel: 1 })
    // 300 GB are included, each one more costs 3 cents: 500 of them reach the cap before the month is over.
    await setCap(harness.deps, caller, { amount: 900 })
    const before = await everything()
    const usage = readAssumed({ cloud_traffic: '720' })
    const { mails } = await foresee(harness.deps, { userid, months: 1, cards: 'pay', usage, locale: 'en-US' })
    expect(await everything()).toEqual(before)
    const hourly = mails.filter(({ kind }) => kind === 'usage' || kind === 'cap')
    expect(hourly.map(({ kind }) => kind)).toEqual(['usage', 'usage', 'cap', 'cap', 'cap'])
    expect(hourly.map(({ at }) => new Date(at).getUTCMinutes())).toEqual([29, 29, 29, 29, 29])

    // The hourly job around each of them: an hour earlier there was nothing to mail.
    const from = clock.now()
    const job = harness.billing.jobs.find(({ name }) => name === 'billing.warnAccount')
    for (const { at } of hourly) {
      for (const hoursBefore of [1, 0]) {
        clock.set(new Date(Date.parse(at) - hoursBefore * hourMs))
        const before = (await mailedAfter(from)).length
        await job?.run({ userid }, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
        expect((await mailedAfter(from)).length - before).toBe(1 - hoursBefore)
      }
    }
    expect(await mailedAfter(from)).toEqual(hourly)
  })

  test.each([0, 1500])(
    'with a balance of %i names the bills of usage that come to what its means cover, in the hour in which they are then written',
    async (balance) => {
      const hourMs = 3_600_000
      // 20 GB in each whole hour, known ten minutes after it.
      const meters: Meters = {
        async read(_, { productType: product, from, to }) {
          const known = Math.floor((clock.now().getTime() - 600_000) / hourMs) * hourMs
          const hours = Math.max(0, (Math.min(to.getTime(), known) - from.getTime()) / hourMs)
          const used = product === 'cloud_traffic' ? BigInt(Math.ceil(hours)) * 20_000_000n : 0n
          const complete = clock.now().getTime() >= Math.ceil(to.getTime() / hourMs) * hourMs + 600_000
          return { used, unitLabel: 'GB', asOf: to, complete, parts: [], digest: 'd' }
        },
      }
      harness = await openHarness(database, {
        clock,
        catalog: catalogOf(testPlans),
        meters,
        findMethod: async () => card,
      })
      card = { id: await harness.keepCard(), gateway: 'sandbox' }
      const { userid } = harness
      const caller = { userid, did: 'did:key:zTest', sessionId: 'ss_test', role: 'User' as const, ip: '127.0.0.1' }
      await harness.transact((trx) => changePlan(harness.deps, trx, caller, { planLevel: 1 }))
      await charge('pay')
      if (balance > 0) await harness.credit(balance)
      const usage = readAssumed({ cloud_traffic: String(20 * 720) })
      const { documents } = await foresee(harness.deps, { userid, months: 1, cards: 'pay', usage, locale: 'en-US' })
      const from = clock.now()
      const until = new Date(from.getTime() + 100 * hourMs)
      const soon = documents.filter(({ at }) => new Date(at) <= until)
      expect(soon.map(({ kind }) => kind)).toEqual(balance > 0 ? ['usage'] : ['usage', 'usage'])
      const job = harness.billing.jobs.find(({ name }) => name === 'billing.warnAccount')
      for (let hour = 0.5 - 1 / 60; hour < 100; hour += 1) {
        clock.set(new Date(Math.round(from.getTime() + hour * hourMs)))
        await job?.run({ userid }, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
        await harness.runDue()
        await charge('pay')
      }
      expect(soon.map(({ at, kind, amount, state }) => ({ at, kind, amount, state }))).toEqual(await issuedAfter(from))
    },
  )

  test('without more usage names what is near already, in the next hour, and nothing else', async () => {
    const meters: Meters = {
      async read(_, { productType: product, to }) {
        const used = product === 'cloud_traffic' && to <= new Date('2027-02-02T00:00:00Z') ? 45_000_000n : 0n
        return { used, unitLabel: 'GB', asOf: to, complete: true, parts: [], digest: 'd' }
      },
    }
    // Free includes 50 GB.
    harness = await openHarness(database, {
      clock,
      catalog: catalogOf(testPlans),
      meters,
      findMethod: async () => card,
    })
    await harness.keepCard()
    await giveAddress(harness.userid)
    expect((await asked(2, 'pay')).mails).toEqual([{ at: '2027-01-31T12:29:00.000Z', kind: 'usage', to: address }])
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

  test('names the mails that come with what the bank then answers', async () => {
    let method: Method | null = null
    const own = await openChargingHarness(database, { clock, findMethod: async () => method })
    await giveAddress(own.userid)
    method = await own.addCard('4242424242424242')
    const { paymentId } = await own.order(1440, method, start)
    await own.carry(paymentId)
    method = await own.addCard('4000000000000341')
    const { mails } = await foresee(own.deps, { userid: own.userid, months: 3, cards: 'decline', locale: 'en-US' })
    const steps = ['renewalSoon', ...Array(4).fill('failed'), 'stopped', 'daysLeft', 'daysLeft', 'destroyed']
    expect(mails.map(({ kind }) => kind)).toEqual(steps)
    for (;;) {
      const { rows } = await database.pool.query(
        'select min(greatest(wall_at, retry_at)) as at from due_items where userid = $1',
        [own.userid],
      )
      if (!rows[0].at) break
      clock.set(rows[0].at)
      await own.runDue()
      const open = 'select id from payments where userid = $1 and method_id is not null and ended_at is null'
      for (const { id } of (await database.pool.query(open, [own.userid])).rows) await own.carry(id)
      // As travel does, which waits for no minute.
      await forgetWaits(database.db, own.userid)
    }
    expect(await mailedAfter(start, own)).toEqual(mails)
  })

  test('names the last month of the card, and no mail without an address', async () => {
    await database.pool.query('update payment_methods set exp_year = 2027, exp_month = 4 where id = $1', [card?.id])
    const expiry = { at: '2027-04-01T00:00:00.000Z', kind: 'cardExpires', to: address }
    expect((await asked(3, 'pay')).mails).toEqual([expiry])
    expect((await asked(1, 'pay')).mails).toEqual([])
    clock.set(new Date('2027-04-02T00:00:00Z'))
    expect((await asked(1, 'pay')).mails).toEqual([{ ...expiry, at: '2027-04-02T00:00:00.000Z' }])
    await database.pool.query('update accounts set email = null where account_id = $1', [harness.userid])
    expect((await asked(1, 'pay')).mails).toEqual([])
  })
})
