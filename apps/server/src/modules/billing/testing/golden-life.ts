/**
 * Plays the life of an account from a file, on a clock that jumps from one due moment to the next, and writes down what
 * comes of it: one line for whatever changed. Cards answer as the file says.
 */
import { planNames } from '@atoll/contract/wire'
import type { TestClock } from '@atoll/testkit'
import { z } from 'zod'
import type { Database } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { accountNow } from '../../accounts/index.ts'
import { assumeCards } from '../due/assume-cards.ts'
import { verifyDocuments } from '../operator/verify-documents.ts'
import { isPastDue } from '../records/dunning-store.ts'
import { retryOwed } from '../records/retry-owed.ts'
import { findTravel, saveTravel } from '../records/travel-store.ts'
import { changePlan } from '../sell/change-plan.ts'
import { type Harness, instanceTerms, openHarness } from './billing-harness.ts'
import { catalogOf, testPlans } from './test-plans.ts'

const Card = z.enum(['pay', 'decline', 'none'])
export const Golden = z.strictObject({
  about: z.string(),
  start: z.iso.datetime(),
  zone: z.enum(['UTC', 'UTC+8']).default('UTC'),
  card: Card,
  credit: z.int().default(0),
  /** Minor units a month of each instance of the cluster; without any, there is none. */
  instances: z.array(z.int()),
  /** Further events. */
  events: z.array(
    z.strictObject({
      at: z.iso.datetime(),
      /**
       * A card that pays, or declines, comes; none is left; credit comes; nothing runs for so many days; a plan is
       * asked for; the account's clock is sent ahead by so many days.
       */
      do: z.enum(['pay', 'decline', 'none', 'credit', 'outage', 'plan', 'travel']),
      minor: z.int().optional(),
      days: z.number().optional(),
      level: z.int().optional(),
    }),
  ),
  until: z.iso.datetime(),
  timeline: z.array(z.string()),
})
export type Golden = z.output<typeof Golden>

/** The course of a life, line by line. */
export async function playLife(database: Database, clock: TestClock, life: Golden): Promise<string[]> {
  clock.set(new Date(life.start))
  let card = life.card
  const method = { id: '', gateway: 'sandbox' }
  const harness = await openHarness(database, {
    clock,
    catalog: catalogOf(testPlans),
    findMethod: async () => (card === 'none' ? null : method),
  })
  method.id = await harness.keepCard()
  await database.pool.query('update accounts set zone = $2 where account_id = $1', [harness.userid, life.zone])
  if (life.credit > 0) await harness.credit(life.credit)
  const lines: string[] = []
  let before = new Map<string, string>()
  const note = async () => {
    const now = await describe(database, harness)
    const at = (await timeOf(harness)).toISOString().slice(0, 16).replace('T', ' ')
    for (const [what, state] of now) if (before.get(what) !== state) lines.push(`${at} ${what}: ${state}`)
    before = now
  }
  const settleAll = async () => {
    if (card === 'none') return
    const cards = card
    const at = await timeOf(harness)
    await harness.transact((trx) => assumeCards(harness.deps, trx, { userid: harness.userid, at, cards }))
  }
  if (life.instances.length > 0) await order(harness, clock, life, method, card)
  await settleAll()
  await note()
  const events = [...life.events]
  for (;;) {
    const due = await nextMoment(database, harness)
    const event = events[0]
    const next = [due, event && new Date(event.at)]
      .flatMap((one) => one ?? [])
      .sort((a, b) => a.getTime() - b.getTime())[0]
    if (!next || next > new Date(life.until)) break
    if (next > clock.now()) clock.set(next)
    if (event && new Date(event.at) <= clock.now()) {
      events.shift()
      if (event.do === 'credit') await harness.credit(event.minor ?? 0)
      else if (event.do === 'outage') clock.advance((event.days ?? 0) * 86_400_000)
      else if (event.do === 'plan') await askForPlan(harness, event.level ?? 0)
      else if (event.do === 'travel') {
        await travelThrough(harness, event.days ?? 0, async () => {
          await note()
          await settleAll()
          await note()
        })
      } else {
        card = event.do
        method.id = await harness.keepCard()
      }
      const at = await timeOf(harness)
      await harness.transact((trx) => retryOwed(trx, harness.userid, at))
    }
    await harness.runDue()
    await note()
    await settleAll()
    await note()
  }
  const bad = await verifyDocuments(database.db, harness.userid)
  if (bad) lines.push(`${bad.table} ${bad.problem}`)
  return lines
}

/** The account's time. */
async function timeOf({ userid, deps }: Harness): Promise<Date> {
  return accountNow(await deps.accounts.getLimits(deps.db, userid), deps.clock.now())
}

async function askForPlan({ userid, deps, transact }: Harness, planLevel: number): Promise<void> {
  const caller = { userid, did: 'did:key:zTest', sessionId: 'ss_test', role: 'User' as const, ip: '127.0.0.1' }
  await transact((trx) => changePlan(deps, trx, caller, { planLevel }))
}

/** Runs the job as the queue would, again after each pause in which `rest` answers what it waits for. */
async function travelThrough(harness: Harness, days: number, rest: () => Promise<void>): Promise<void> {
  const { userid, deps, billing, transact } = harness
  const target = new Date((await timeOf(harness)).getTime() + days * 86_400_000)
  await transact((trx) => saveTravel(trx, { userid, target, destroy: [] }))
  const job = billing.jobs.find(({ name }) => name === 'billing.travel')
  for (;;) {
    await job?.run({ userid }, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
    await rest()
    const travel = await findTravel(deps.db, userid)
    if (!travel || travel.stopped_before) return
  }
}

async function order(
  harness: Harness,
  clock: TestClock,
  life: Golden,
  method: { id: string; gateway: string },
  card: string,
) {
  const clusterId = await harness.insertCluster()
  const instances = []
  for (const price of life.instances) {
    instances.push({ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(price) })
  }
  const facts = {
    userid: harness.userid,
    clusterId,
    instances,
    at: clock.now(),
    coupons: [],
    method: card === 'none' ? null : method,
  }
  await harness.transact((trx) => harness.billing.order(trx, facts))
}

/** When something is due, or waits to be run again. */
async function nextMoment({ pool }: Database, { userid }: Harness): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>(
    'select min(greatest(wall_at, retry_at)) as at from due_items where userid = $1',
    [userid],
  )
  return rows[0]?.at ?? undefined
}

async function describe({ pool, db }: Database, { userid, balance, woken }: Harness): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ what: string; state: string }>(
    `select 'invoice ' || right(number, 4) || ' ' || kind || ' of ' || total_minor as what, state, issued_at as at, 0 as place
       from invoices where userid = $1
     union all select 'payment of ' || right(number, 4) || ' #' || row_number() over (partition by number order by payment.created_at, payment.id)
       || ' by card ' || card_minor, payment.state || coalesce(' ' || decline_code, ''), payment.created_at, 1
       from payments payment join invoices on invoices.id = invoice_id where payment.userid = $1
     union all select 'item ' || row_number() over (order by item.created_at, item.id), item.state, item.created_at, 2
       from subscription_items item where userid = $1
     order by at, place, what`,
    [userid],
  )
  const cash = await balance('cash')
  const level = await pool.query<{ level: number }>(
    `select plan_level as level from accounts join subscriptions on userid = account_id where userid = $1 and kind = 'plan'`,
    [userid],
  )
  return new Map([
    ...rows.map(({ what, state }): [string, string] => [what, state]),
    ...level.rows.slice(0, 1).map((row): [string, string] => ['plan', planNames[row.level] ?? String(row.level)]),
    ['balance', String(cash)],
    ['creating', (await isPastDue(db, userid)) ? 'refused' : 'allowed'],
    ['cluster woken', `${woken.length} times`],
  ])
}
