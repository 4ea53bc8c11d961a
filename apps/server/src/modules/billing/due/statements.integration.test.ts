/** How many statements the steps of an account's money take, of whole transactions: `begin` and `commit` count too. */
import { createTestClock } from '@atoll/testkit'
import { beforeEach, expect, test } from 'vitest'
import { type CountedDatabase, countStatements } from '../../../platform/db/testing/count-statements.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { listCards } from '../../payments/index.ts'
import { findUndisputed } from '../pay/other-card.ts'
import { runNextDue } from '../schedule/due-runner.ts'
import { changePlan } from '../sell/change-plan.ts'
import { type Harness, instanceTerms, openHarness } from '../testing/billing-harness.ts'
import { catalogOf, testPlans } from '../testing/test-plans.ts'
import { assumeCards } from './assume-cards.ts'
import { dueRunners } from './due-runners.ts'

const start = new Date('2027-01-31T12:00:00Z')
const renewed = new Date('2027-02-28T12:00:00Z')
const afterDays = (days: number) => new Date(renewed.getTime() + days * 86_400_000)
const clock = createTestClock(start)
const database = useDatabase()
let counted: CountedDatabase
let harness: Harness

beforeEach(async () => {
  clock.set(start)
  counted = countStatements(database)
  await openAccount()
})

/** A new account, with an address for mails and the composition's way to find its card. */
async function openAccount() {
  const gateway = { name: 'sandbox' } as const
  harness = await openHarness(counted, {
    clock,
    catalog: catalogOf(testPlans),
    async findMethod(db, userid) {
      const [card] = await listCards(db, userid, gateway.name)
      return await findUndisputed({ gateway }, db, userid, card?.is_default ? card : null)
    },
  })
  await database.pool.query("update accounts set email = 'reef@mail.example' where account_id = $1", [harness.userid])
}

const methodOf = () => harness.deps.findMethod(database.db, harness.userid)

async function order() {
  const clusterId = await harness.insertCluster()
  const instances = [{ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(1440) }]
  const facts = { userid: harness.userid, clusterId, instances, at: clock.now(), coupons: [], method: await methodOf() }
  return () => harness.transact((trx) => harness.billing.order(trx, facts))
}

const callerOf = ({ userid, did }: Harness) => ({
  userid,
  did,
  sessionId: 'ss_test',
  role: 'User' as const,
  ip: '127.0.0.1',
})
const raise = () => harness.transact((trx) => changePlan(harness.deps, trx, callerOf(harness), { planLevel: 2 }))

/** A cluster and a plan, both paid, and nothing left of what paid them. */
async function buy() {
  await harness.credit(1440 + 900)
  await (await order())()
  await raise()
}

const answer = (cards: 'pay' | 'decline') =>
  harness.transact((trx) => assumeCards(harness.deps, trx, { userid: harness.userid, at: clock.now(), cards }))

/** The statements of each item that is due by `at`, by its kind. */
async function runDue(at: Date): Promise<Record<string, string[]>> {
  clock.set(at)
  const { userid, deps } = harness
  const runners = dueRunners(deps)
  const ran: Record<string, string[]> = {}
  for (;;) {
    const { rows } = await database.pool.query(
      'select kind from due_items where userid = $1 and wall_at <= $2 order by due_at, kind, object limit 1',
      [userid, at],
    )
    if (!rows[0]) return ran
    ran[rows[0].kind] = await counted.statementsOf(() =>
      runNextDue(deps, runners, { userid, waits: 'careful', log: silentLog }),
    )
  }
}

/** `most`: a step may take fewer, and a change that makes it take fewer lowers the figure. */
const expectAtMost = (most: number, sent: string[] | undefined) => {
  expect(sent?.length, sent?.join('\n')).toBeGreaterThan(0)
  expect.soft(sent?.length, sent?.join('\n')).toBeLessThanOrEqual(most)
}

test('a renewal, and tries to collect it by card', async () => {
  await buy()
  await harness.keepCard()
  const first = await runDue(renewed)
  expectAtMost(25, first.renewal)
  expectAtMost(13, first['renewal.try'])
  await answer('decline')
  expectAtMost(14, (await runDue(afterDays(1)))['renewal.try'])
})

test('a try that the balance pays', async () => {
  await buy()
  await harness.credit(5000)
  expectAtMost(27, (await runDue(renewed))['renewal.try'])
})

test('tries of an account that has nothing, the verdict after them, and giving up', async () => {
  await buy()
  expectAtMost(12, (await runDue(renewed))['renewal.try'])
  for (const days of [1, 3]) await runDue(afterDays(days))
  expectAtMost(18, (await runDue(afterDays(5)))['renewal.try'])
  expectAtMost(82, (await runDue(afterDays(19)))['renewal.graceOver'])
})

test('a higher plan, from the balance and by card', async () => {
  await harness.credit(1000)
  expectAtMost(50, await counted.statementsOf(raise))
  await openAccount()
  await harness.keepCard()
  expectAtMost(28, await counted.statementsOf(raise))
})

test('an order, from the balance and by card', async () => {
  await harness.credit(5000)
  expectAtMost(29, await counted.statementsOf(await order()))
  await openAccount()
  await harness.keepCard()
  expectAtMost(24, await counted.statementsOf(await order()))
})
