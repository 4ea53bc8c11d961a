/**
 * The crash matrix of an account's orders, its scheduled billing, its refunds and its clock: a process is killed at
 * every boundary of an order, a renewal, the end of instances, a refund to a card and a change of the account's clock;
 * the next worker knows only the state in the database and at the gateway.
 */
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createDatabase } from '../../platform/db/index.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { runCrashing } from '../../testing/run-crashing.ts'
import { runToBoundary } from '../clusters/testing/boundary-pool.ts'
import { refundPayment } from './index.ts'
import { verifyCaptures } from './operator/verify-captures.ts'
import { saveTravel } from './records/travel-store.ts'
import { type AccountWork, carryAccount, keptMailsTable, workingDeps } from './testing/account-works.ts'
import { type ChargingHarness, openChargingHarness } from './testing/charging-harness.ts'
import type { CrashingAccountOptions } from './testing/crashing-account.ts'
import { expectSound } from './testing/expect-sound.ts'
import { openStumblingHarness } from './testing/stumbling-harness.ts'

const program = fileURLToPath(new URL('testing/crashing-account.ts', import.meta.url))
const [days, months] = [86_400_000, 31 * 86_400_000]
const database = useDatabase({ max: 12 })
beforeAll(async () => {
  await database.pool.query(keptMailsTable)
})

/** An account of its own for each boundary, as one whose worker has stopped stays locked. */
async function open(since: Date): Promise<{ harness: ChargingHarness; paymentId: string }> {
  const harness = await openChargingHarness(database, workingDeps)
  await database.pool.query("update accounts set email = 'reef@mail.example' where account_id = $1", [harness.userid])
  await harness.credit(500)
  const { paymentId } = await harness.order(1440, await harness.addCard('4242424242424242'), since)
  await harness.carry(paymentId)
  await database.pool.query('delete from kept_mails where userid = $1', [harness.userid])
  return { harness, paymentId }
}
const ago = (ms: number) => new Date(Math.floor((Date.now() - ms) / 1000) * 1000)
const scenes: Record<AccountWork, () => Promise<ChargingHarness>> = {
  // Paid by all three: promotional credit, the balance and the card.
  async orders() {
    const { harness } = await open(ago(9 * days))
    await harness.grant(300, new Date())
    await harness.credit(200)
    await harness.insertInstance(await harness.insertCluster())
    return harness
  },
  // Its month is over since a few hours.
  renews: async () => (await open(ago(months + days / 4))).harness,
  'ends instances': async () => (await open(ago(9 * days))).harness,
  async 'refunds a card'() {
    const { harness, paymentId } = await open(ago(9 * days))
    await harness.credit(900)
    await refundPayment(harness.deps, paymentId, '9')
    return harness
  },
  async travels() {
    const { harness } = await open(ago(27 * days))
    const target = new Date(Date.now() + 5 * days)
    await harness.transact((trx) => saveTravel(trx, { userid: harness.userid, target, destroy: [] }))
    return harness
  },
}

/** How many boundaries a worker that is not killed passes. */
async function countBoundariesOf(work: AccountWork): Promise<number> {
  const model = await scenes[work]()
  const elsewhere = createDatabase({ connectionString: database.url }, { max: 2 })
  const stumbling = await openStumblingHarness(database, elsewhere, systemClock, workingDeps)
  const go = () => carryAccount(stumbling.database, stumbling, model.userid, work)
  const { passed } = await runToBoundary(Number.POSITIVE_INFINITY, go)
  await elsewhere.close()
  return passed
}

/** The account's final state, without names. */
async function outcomeOf({ userid }: ChargingHarness): Promise<string[]> {
  const { rows } = await database.pool.query<{ line: string }>(
    `select 'invoice ' || kind || ' ' || total_minor || case kind when 'order' then ' ' || state else '' end as line
       from invoices where userid = $1 and number > (select min(number) from invoices where userid = $1)
     union all select 'credit ' || case when cash_minor > 0 then 'to the balance' else 'of nothing' end from credit_notes where userid = $1
     union all select 'refund ' || state || ' ' || amount_minor from card_refunds where userid = $1
     union all select 'mail ' || (params::json ->> 'subject') from kept_mails where userid = $1
     order by 1`,
    [userid],
  )
  return rows.map(({ line }) => line)
}

/** At once in one process: each keeps its connections. */
const atOnce = 16
/** Of so many boundaries one is tried; 1 tries all. */
const every = Number(process.env['ATOLL_CRASH_EVERY'] ?? 3)
test.each<[AccountWork, number]>([
  ['orders', 20],
  ['renews', 15],
  ['ends instances', 4],
  ['refunds a card', 5],
  ['travels', 20],
])(
  'a worker killed at every boundary while an account %s: the books hold, and nothing is charged or mailed twice',
  async (work, least) => {
    const passed = await countBoundariesOf(work)
    expect(passed).toBeGreaterThanOrEqual(least)
    let reached = 0
    for (let first = 1; first <= passed; first += atOnce * every) {
      const harnesses = new Map<number, ChargingHarness>()
      for (let boundary = first; boundary <= passed && harnesses.size < atOnce; boundary += every)
        harnesses.set(boundary, await scenes[work]())
      const boundaries = Object.fromEntries([...harnesses].map(([boundary, { userid }]) => [userid, boundary]))
      // A clock that arrives a little sooner passes fewer than were counted.
      const options: CrashingAccountOptions = { databaseUrl: database.url, work, boundaries }
      reached += (await runCrashing(program, options)).length
      for (const harness of harnesses.values()) {
        await carryAccount(database, harness, harness.userid, work)
        await expectSound(database, harness)
        const { gateway } = harness.deps
        expect((await verifyCaptures(database.db, gateway, harness.userid)).differences).toEqual([])
        expect(await Promise.all([harness.balance('held:cash'), harness.balance('held:promo')])).toEqual([0, 0])
        const { rows: twice } = await database.pool.query(
          `select invoice_id from payments where userid = $1 and state = 'succeeded' group by 1 having count(*) > 1
           union all select params from kept_mails where userid = $1 group by 1 having count(*) > 1`,
          [harness.userid],
        )
        expect(twice).toEqual([])
        const outcome = await outcomeOf(harness)
        const expected = {
          // Killed before the gateway received it, it is found nowhere, and made again.
          orders: ['invoice order 2000 paid'],
          renews: ['invoice renewal 1440'],
          'ends instances': ['credit to the balance'],
          'refunds a card': ['refund done 900'],
          travels: ['invoice renewal 1440'],
        }
        const isMail = (line: string) => line.startsWith('mail ')
        expect(outcome.filter((line) => !isMail(line))).toEqual(expected[work])
        // A refund to a card is the operator's, who informs the customer.
        expect(outcome.some(isMail)).toBe(work !== 'refunds a card')
      }
    }
    expect(reached * every).toBeGreaterThanOrEqual(least)
  },
)
