/**
 * Plays a life that was drawn, one step after the other on a clock that jumps from one due moment to the next, and
 * writes down two things apart: what happened, without any amount that the server made, which is all that an oracle is
 * given; and what the server made of it.
 */
import { createTestClock, type TestClock } from '@atoll/testkit'
import type { Database } from '../../../../platform/db/index.ts'
import { silentLog } from '../../../../platform/log.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import { assumeCards } from '../../due/assume-cards.ts'
import { dueRunners } from '../../due/due-runners.ts'
import { couponFacts } from '../../pricing/coupons/coupon-facts.ts'
import { takeCoupon } from '../../pricing/coupons/redeem-coupon.ts'
import { listUsable } from '../../records/coupon-store.ts'
import { listItems } from '../../records/documents/subscription-store.ts'
import { retryOwed } from '../../records/retry-owed.ts'
import { dueKinds } from '../../schedule/due-kinds.ts'
import { type DueRunners, runNextDue } from '../../schedule/due-runner.ts'
import { changePlan } from '../../sell/change-plan.ts'
import { insertCap } from '../../usage/cap-store.ts'
import { type Harness, instanceTerms, openHarness } from '../billing-harness.ts'
import { scriptedMeters } from '../scripted-meters.ts'
import { catalogOf, testPlans } from '../test-plans.ts'
import type { Life, LifeAction } from './any-life.ts'
import { type Fact, type LifeNotes, noteLife } from './note-life.ts'

export interface PlayedLife {
  harness: Harness
  clock: TestClock
  /** The facts in order, as input of the oracle. */
  facts: Fact[]
  /** The customer's cash once the facts up to that number had happened. */
  cash: Map<number, number>
}

/** Mails move no money. */
const mailKinds: string[] = [dueKinds.lapseMail, dueKinds.renewalMail, dueKinds.graceMail]

/** Plays the life to its end in an account of its own. */
export async function playLife(database: Database, life: Life): Promise<PlayedLife> {
  const clock = createTestClock(new Date(life.start))
  const script = scriptedMeters(clock)
  const coupons = life.actions.flatMap((action, place) =>
    action.do === 'coupon' ? [couponOf(action.coupon, place)] : [],
  )
  const method = { id: '', gateway: 'sandbox' }
  let card: 'pay' | 'decline' | 'none' = 'pay'
  const harness = await openHarness(database, {
    clock,
    catalog: catalogOf(testPlans, { coupons }),
    meters: script.meters,
    findMethod: async () => (card === 'none' ? null : method),
  })
  const { userid, deps, transact, billing } = harness
  method.id = await harness.keepCard()
  await database.pool.query('update accounts set zone = $2 where account_id = $1', [userid, life.zone])
  const notes = noteLife(database, harness, clock, () => card !== 'none')
  notes.push({ do: 'card', method: method.id })
  const clusters: string[] = []
  const player: Player = { database, harness, clock, notes, script, clusters, coupons }
  /** Notes what a step did, and lets the cards answer that it asked. */
  const settle = async () => {
    const isCharged = await notes.take()
    const cards = card
    if (isCharged && cards !== 'none') {
      await transact((trx) => assumeCards(deps, trx, { userid, at: clock.now(), cards }))
      await notes.take()
    }
  }
  const all = dueRunners(deps)
  const runners: DueRunners = {
    ...Object.fromEntries(Object.entries(all).filter(([kind]) => !mailKinds.includes(kind))),
    async [dueKinds.promoExpiry](trx, due) {
      notes.push({ do: 'expired', grant: due.object })
      return await (all[dueKinds.promoExpiry]?.(trx, due) ?? 'done')
    },
  }
  const runDue = async () => {
    while (await runNextDue(deps, runners, { userid, waits: 'deadline', log: silentLog })) await settle()
  }
  const runUntil = async (until: Date) => {
    for (;;) {
      await runDue()
      const next = await nextMoment(database, userid)
      if (!next || next > until) break
      if (next > clock.now()) clock.set(next)
    }
    if (until > clock.now()) clock.set(until)
  }
  for (const [place, action] of life.actions.entries()) {
    await runUntil(new Date(action.at))
    if (action.do === 'card') {
      card = action.card
      if (card !== 'none') method.id = await harness.keepCard()
      notes.push({ do: 'card', method: card === 'none' ? null : method.id })
      if (card === 'pay') await transact((trx) => retryOwed(trx, userid, clock.now()))
    } else if (action.do === 'pay') {
      for (const invoiceId of await listOwed(database, userid)) {
        const paying = card === 'none' ? null : method
        await transact((trx) => billing.pay(trx, { userid, invoiceId, at: clock.now(), method: paying }))
        await settle()
      }
    } else {
      await act(player, action, card === 'none' ? null : method, place)
      await settle()
    }
    await runDue()
  }
  await runUntil(new Date(life.until))
  return { harness, clock, facts: notes.facts, cash: notes.cash }
}

interface Player {
  database: Database
  harness: Harness
  clock: TestClock
  notes: LifeNotes
  script: ReturnType<typeof scriptedMeters>
  clusters: string[]
  coupons: ReturnType<typeof couponOf>[]
}

async function act(
  player: Player,
  action: Exclude<LifeAction, { do: 'card' | 'pay' }>,
  method: { id: string; gateway: string } | null,
  place: number,
): Promise<void> {
  const { harness, clock, notes, script } = player
  const { userid, deps, transact } = harness
  const at = clock.now()
  if (action.do === 'order') return await order(player, action, method)
  if (action.do === 'destroy') return await destroy(player, action)
  if (action.do === 'plan') {
    const caller = { userid, did: 'did:key:zTest', sessionId: 'ss_life', role: 'User' as const, ip: '127.0.0.1' }
    const asked = transact((trx) => changePlan(deps, trx, caller, { planLevel: action.level }))
    // Past due, or another plan waits to be paid: then nothing happened.
    if (await isRefused(asked)) return
    return notes.push({ do: 'plan', level: action.level })
  }
  if (action.do === 'coupon') {
    const coupon = player.coupons.find(({ code }) => code === codeOf(place))
    const limits = await deps.accounts.getLimits(player.database.db, userid)
    await transact((trx) => takeCoupon(deps, trx, { userid, code: coupon?.code ?? '', limits }))
    return notes.push({ do: 'coupon', code: coupon?.code, ...action.coupon })
  }
  if (action.do === 'credit') {
    notes.push({ do: 'credit', minor: action.minor })
    return await harness.credit(action.minor)
  }
  if (action.do === 'grant') {
    const expires = action.days === null ? undefined : new Date(at.getTime() + action.days * 86_400_000)
    return await harness.grant(action.minor, at, expires)
  }
  if (action.do === 'use') {
    const knownAt = new Date(at.getTime() + action.lateHours * 3_600_000)
    script.flow(action.product, at, action.gb, knownAt)
    const { product, fall } = action
    const micros = Math.round(action.gb * 1_000_000)
    notes.push({ do: 'use', product, micros, known: knownAt.toISOString() })
    if (!fall) return
    const known = new Date(knownAt.getTime() + fall.hours * 3_600_000)
    script.flow(product, at, -action.gb * fall.share, known)
    return notes.push({ do: 'use', product, micros: -micros * fall.share, known: known.toISOString() })
  }
  await transact((trx) => insertCap(trx, userid, action.minor, at))
  notes.push({ do: 'cap', minor: action.minor })
}

async function order(
  { database: { db }, harness, clock, clusters }: Player,
  { cluster, prices }: Extract<LifeAction, { do: 'order' }>,
  method: { id: string; gateway: string } | null,
): Promise<void> {
  const { userid, transact, billing } = harness
  const standing = cluster === null ? undefined : clusters[cluster]
  const hasStanding = standing !== undefined && (await instancesOf(db, standing)).length > 0
  const clusterId = hasStanding ? standing : await harness.insertCluster()
  const instances: { instanceId: string; terms: ReturnType<typeof instanceTerms> }[] = []
  for (const price of prices)
    instances.push({ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(price) })
  const ordered = transact(async (trx) => {
    const coupons = (await listUsable(trx, userid)).map((one) => couponFacts(one, 'usd'))
    await billing.order(trx, { userid, clusterId, instances, at: clock.now(), coupons, method })
  })
  // Past due: nothing is sold.
  if (!(await isRefused(ordered)) && !hasStanding) clusters.push(clusterId)
}

async function destroy(
  { database: { db }, harness, clusters, notes }: Player,
  { cluster, instance, hasRun }: Extract<LifeAction, { do: 'destroy' }>,
): Promise<void> {
  const clusterId = clusters[cluster]
  if (clusterId === undefined) return
  const sold = await instancesOf(db, clusterId)
  const one = instance === null ? undefined : sold[instance % sold.length]
  const ending = one ? [one] : sold
  if (ending.length === 0) return
  const instances = ending.map((instanceId) => ({ instanceId, hasRun }))
  const items = await livingItems(db, ending)
  const order = { userid: harness.userid, clusterId, instanceId: one ?? null, instances }
  await harness.transact((trx) => harness.billing.endInstances(trx, order))
  notes.push({ do: 'destroyed', items, hasRun })
}

/** Instances of a cluster that are sold, in their order. */
async function instancesOf(db: Database['db'], clusterId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('instances')
    .select('id')
    .where('cluster_id', '=', clusterId)
    .orderBy('ordinal')
    .execute()
  const items = await listItems(db, { instanceIds: rows.map(({ id }) => id) })
  const sold = new Set(items.flatMap((item) => (['ended', 'canceled'].includes(item.state) ? [] : [item.instance_id])))
  return rows.map(({ id }) => id).filter((id) => sold.has(id))
}

async function livingItems(db: Database['db'], instanceIds: string[]): Promise<string[]> {
  const items = await listItems(db, { instanceIds })
  return items.filter(({ state }) => state === 'active' || state === 'past_due').map(({ id }) => id)
}

async function listOwed({ db }: Database, userid: string): Promise<string[]> {
  const invoices = db.selectFrom('invoices').select('id').where('userid', '=', userid)
  const owed = invoices.where('state', 'in', ['open', 'uncollectible']).orderBy('issued_at').orderBy('id')
  return (await owed.execute()).map(({ id }) => id)
}

async function nextMoment({ pool }: Database, userid: string): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>(
    'select min(greatest(wall_at, retry_at)) as at from due_items where userid = $1 and kind <> all($2)',
    [userid, mailKinds],
  )
  return rows[0]?.at ?? undefined
}

async function isRefused(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked
    return false
  } catch (error) {
    if (error instanceof Refusal) return true
    throw error
  }
}

const codeOf = (place: number) => `LIFE-${place}`

function couponOf(
  { percentOff, amountOff, duration, months, appliesTo }: Extract<LifeAction, { do: 'coupon' }>['coupon'],
  place: number,
) {
  return {
    code: codeOf(place),
    duration,
    appliesTo,
    ...(percentOff !== null && { percentOff }),
    ...(amountOff !== null && { amountOff: { usd: amountOff } }),
    ...(duration === 'repeating' && { months }),
  }
}
