/**
 * Compares the forecast with what then happens, over random accounts: a life is played until some moment, the months
 * after it are forecast, and then lived. ATOLL_FORECAST_LIVES sets the number of lives.
 */
import { addMonths } from '@atoll/money'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { forgetWaits } from '../records/travel-store.ts'
import { runNextDue } from '../schedule/due-runner.ts'
import { anyLife, type Life } from '../testing/histories/any-life.ts'
import { type PlayedLife, playLife } from '../testing/histories/play-life.ts'
import { assumeCards, type Cards } from './assume-cards.ts'
import { dueRunners } from './due-runners.ts'
import { foresee } from './forecast.ts'
import { decideNext, rehearseNext } from './next-bill.ts'

const count = Number(process.env['ATOLL_FORECAST_LIVES'] ?? 5)
const seed = Number(process.env['ATOLL_FORECAST_SEED'] ?? 1)
const months = 4
const hourMs = 60 * 60_000
const database = useDatabase()

/** A life that ends within its first year and a half; readings come at once, because a forecast knows no later ones. */
const anyPast = fc
  .record({ life: anyLife, share: fc.double({ min: 0.02, max: 0.5, noNaN: true }) })
  .map(({ life, share }): Life => {
    const [start, until] = [life.start, life.until].map((at) => Date.parse(at)) as [number, number] // of two
    const end = new Date(Math.floor((start + (until - start) * share) / 1000) * 1000).toISOString()
    const actions = life.actions
      .filter(({ at }) => at < end)
      .map((action) => (action.do === 'use' ? { ...action, lateHours: 0, fall: null } : action))
    return { ...life, until: end, actions }
  })

/**
 * Lives until then as the jobs do; the job of each hour finds usage that its means no longer cover in its first one.
 * `look`: at each moment, before what is due then is run.
 */
async function live(
  { harness, clock }: PlayedLife,
  { until, cards, look }: { until: Date; cards: Cards; look: (at: Date) => Promise<void> },
): Promise<void> {
  const { userid, deps, billing, transact } = harness
  const runners = dueRunners(deps)
  const waiting = async () =>
    (await database.pool.query('select from due_items where userid = $1 and retry_at is not null', [userid])).rows
      .length
  const charge = () => transact((trx) => assumeCards(deps, trx, { userid, at: clock.now(), cards }))
  const runDue = async () => {
    await charge()
    for (let before = 0; ; before = await waiting()) {
      if (!(await runNextDue(deps, runners, { userid, waits: 'careful', log: silentLog }))) return
      await charge()
      // Something was done: what waits may go on.
      if ((await waiting()) <= before) await forgetWaits(database.db, userid)
    }
  }
  const moveTo = async (at: Date) => {
    await look(at)
    clock.set(at)
    await forgetWaits(database.db, userid)
    await runDue()
  }
  const liveTo = async (end: Date) => {
    for (;;) {
      const { rows } = await database.pool.query<{ at: Date | null }>(
        'select min(wall_at) as at from due_items where userid = $1 and wall_at > $2',
        [userid, clock.now()],
      )
      const at = rows[0]?.at
      if (!at || at > end) return
      await moveTo(at)
    }
  }
  const tick = new Date(Math.floor((clock.now().getTime() - 29 * 60_000) / hourMs + 1) * hourMs + 29 * 60_000)
  await runDue()
  await liveTo(tick)
  clock.set(tick)
  const context = { log: silentLog, signal: new AbortController().signal, attempt: 1 }
  await billing.jobs.find(({ name }) => name === 'billing.warnAccount')?.run({ userid }, context)
  await moveTo(tick)
  await liveTo(until)
}

async function issuedBy({ harness: { userid } }: PlayedLife, known: readonly string[]) {
  const { rows } = await database.pool.query(
    `select issued_at as at, kind, total_minor as amount, invoices.state, paying.* from invoices
      left join lateral (select promo_minor as "fromPromo", balance_minor as "fromBalance", card_minor as "toCard",
        rolled_minor as "rolledOver" from payments where invoice_id = invoices.id order by created_at, id limit 1) paying on true
      where userid = $1 and id <> all($2) order by issued_at, number`,
    [userid, known],
  )
  return rows.map(({ at, ...row }) => ({
    at: at.toISOString(),
    ...row,
    ...(row.toCard === null && { fromPromo: 0, fromBalance: 0, toCard: row.amount, rolledOver: 0 }),
  }))
}

test(`the forecast of ${count} random accounts is what then happens, and their next bill is that of a rehearsal`, {
  timeout: 60_000 + count * 30_000,
}, async () => {
  let [bills, decidedBills, rehearsedBills] = [0, 0, 0]
  const draw = fc.record({
    past: anyPast,
    cards: fc.constantFrom('pay', 'decline'),
    // How late what is due is when the next bill is asked for.
    lateHours: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 * 24 })),
  })
  await fc.assert(
    fc.asyncProperty(draw, async ({ past, cards, lateHours }) => {
      const played = await playLife(database, past)
      const { harness, clock } = played
      const { userid, deps } = harness
      const known = (await database.pool.query('select id from invoices where userid = $1', [userid])).rows
      const asked = { userid, locale: 'en-US' } as const
      const { documents } = await foresee(deps, { ...asked, months, cards })
      const until = addMonths(clock.now(), months, past.zone)
      await live(played, {
        until,
        cards,
        async look(at) {
          clock.set(new Date(at.getTime() + lateHours * hourMs))
          const decided = await decideNext(deps, asked)
          const { upcoming } = await rehearseNext(deps, asked)
          if (decided !== undefined) expect(decided).toEqual(upcoming)
          if (decided) decidedBills += 1
          else if (upcoming) rehearsedBills += 1
        },
      })
      const lived = await issuedBy(
        played,
        known.map(({ id }) => id),
      )
      expect(
        documents.map(({ at, kind, amount, state, fromPromo, fromBalance, toCard, rolledOver }) => {
          return { at, kind, amount, state, fromPromo, fromBalance, toCard, rolledOver }
        }),
      ).toEqual(lived)
      bills += lived.length
    }),
    { numRuns: count, seed, endOnFailure: true },
  )
  expect(bills).toBeGreaterThan(count)
  expect(decidedBills, `beside ${rehearsedBills} that only a rehearsal knew`).toBeGreaterThan(count)
})
