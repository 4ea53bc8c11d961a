import { createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../../platform/log.ts'
import { requestPlan } from '../../sell/change-plan.ts'
import { openHarness } from '../../testing/billing-harness.ts'
import { scriptedMeters } from '../../testing/scripted-meters.ts'
import { catalogOf, testPlans } from '../../testing/test-plans.ts'
import { setCap } from '../set-cap.ts'
import { seeNotice } from './notify-of-usage.ts'

const start = new Date('2027-01-01T00:00:00Z')
const clock = createTestClock(start)
const database = useDatabase()

async function openWarned() {
  clock.set(start)
  const script = scriptedMeters(clock)
  const sent: string[] = []
  const turns: string[] = []
  const harness = await openHarness(database, {
    clock,
    catalog: catalogOf(testPlans),
    meters: script.meters,
    onStorageTurn: async (_, userid) => void turns.push(userid),
    mail: {
      async post(_, { params }) {
        sent.push((params as unknown as { subject: string }).subject) // billing's alone
        return 'ml_none'
      },
    },
  })
  const { userid } = harness
  await database.pool.query("update accounts set email = 'reef@mail.example', locale = 'en-US' where account_id = $1", [
    userid,
  ])
  return {
    harness,
    script,
    turns,
    caller: { userid, did: 'did:key:zTest', sessionId: 'ss_test', role: 'User' as const, ip: '127.0.0.1' },
    /** Subjects of what the job sends when it runs twice. */
    async warnings() {
      sent.length = 0
      const job = harness.billing.jobs.find(({ name }) => name === 'billing.warnAccount')
      const context = { log: silentLog, signal: new AbortController().signal, attempt: 1 }
      for (let runs = 0; runs < 2; runs += 1) await job?.run({ userid }, context)
      return [...sent]
    },
  }
}

test('usage that reaches 50, 80 and 100 % of its cap is mailed once each in a period', async () => {
  const { harness, script, caller, warnings } = await openWarned()
  await harness.credit(1_000_000)
  await requestPlan(harness.deps, caller, { planLevel: 1 })
  await setCap(harness.deps, caller, { amount: 300 })
  const use = async (gb: number) => {
    script.flow('cloud_traffic', clock.now(), gb)
    clock.advance(60_000)
    return await warnings()
  }
  // 300 GB are included, each one more costs 3 cents.
  expect(await use(349)).toEqual(['Your plan’s traffic is used up'])
  expect(await use(1)).toEqual(['50 % of your spend cap is used'])
  expect(await use(40)).toEqual(['80 % of your spend cap is used'])
  expect(await use(50)).toEqual(['Your spend cap is reached'])
  // Raised and reached again is mailed again.
  await setCap(harness.deps, caller, { amount: 600 })
  expect(await warnings()).toEqual(['50 % of your spend cap is used'])
  expect(await use(25)).toEqual(['80 % of your spend cap is used'])
  expect(await use(35)).toEqual(['Your spend cap is reached'])
  expect(await use(50)).toEqual([])
  clock.set(new Date('2027-02-02T00:00:00Z'))
  expect(await use(600)).toEqual(['Your traffic limit has been exceeded', 'Your spend cap is reached'])
  await setCap(harness.deps, caller, {})
  expect(await use(600)).toEqual([])
})

test('plan usage is reported at 80 and 100 %, once each, and that it goes on once it is raised', async () => {
  const { harness, script, caller, warnings } = await openWarned()
  await harness.credit(1_000_000)
  const { userid, billing } = harness
  const use = async (gb: number) => {
    script.flow('cloud_traffic', clock.now(), gb)
    clock.advance(60_000)
    return await warnings()
  }
  const notices = async () =>
    (await billing.notices(database.db, userid)).map(({ kind, key, object, params }) => [
      ...[kind, key, object],
      `${params.used} of ${params.quota} ${params.unitLabel}`,
    ])
  const changes = async () => {
    const { rows } = await database.pool.query("select 1 from changes where account = $1 and topic = 'account'", [
      userid,
    ])
    return rows.length
  }
  // Free includes 50 GB, and stops there.
  expect(await use(39)).toEqual([])
  expect([await notices(), await changes()]).toEqual([[], 0])
  expect(await use(1)).toEqual(['80 % of your plan’s traffic is used'])
  expect([await notices(), await changes()]).toEqual([[['NORMAL', 'usageNear', 'cloud_traffic', '40 of 50 GB']], 1])
  expect(await warnings()).toEqual([])
  expect(await changes()).toBe(1)
  expect(await use(10)).toEqual(['Your traffic limit has been exceeded'])
  expect(await notices()).toEqual([['EXPIRED', 'usageLimited', 'cloud_traffic', '50 of 50 GB']])
  await seeNotice(harness.deps, userid, 'cloud_traffic')
  expect(await notices()).toHaveLength(1)
  // Since when it is so does not move while it is.
  const limitedAt = clock.now().toISOString()
  expect(await use(1)).toEqual([])
  expect(await billing.notices(database.db, userid)).toMatchObject([{ since: limitedAt, params: { used: 51 } }])

  // Starter includes 300 GB, and charges for more.
  await requestPlan(harness.deps, caller, { planLevel: 1 })
  expect(await warnings()).toEqual([])
  expect(await notices()).toEqual([['SUCCESSFUL', 'usageOpen', 'cloud_traffic', '0 of 300 GB']])
  expect(await billing.notices(database.db, userid)).toMatchObject([{ since: clock.now().toISOString() }])
  await seeNotice(harness.deps, userid, 'cloud_traffic')
  await seeNotice(harness.deps, userid, 'cloud_traffic')
  expect(await notices()).toEqual([])
  expect(await use(310)).toEqual(['Your plan’s traffic is used up'])
  expect(await notices()).toEqual([['EXPIRED', 'usageCharged', 'cloud_traffic', '310 of 300 GB']])
  const [notice] = await billing.notices(database.db, userid)
  expect(notice?.params.rate).toBe('0.03')
  clock.set(new Date('2027-02-15T00:00:00Z'))
  expect(await notices()).toEqual([])
  expect(await warnings()).toEqual([])
})

test('instances of an account without room for files are notified, once, and again once there is room', async () => {
  const { harness, script, caller, warnings, turns } = await openWarned()
  await harness.credit(1_000_000)
  // Free includes 20 GB in the mean of its period, and stops there.
  clock.set(new Date('2027-01-31T23:00:00Z'))
  script.flow('cloud_storage', clock.now(), 19)
  clock.advance(60_000)
  await warnings()
  expect(turns).toEqual([])
  script.flow('cloud_storage', clock.now(), 2)
  clock.advance(60_000)
  expect(await warnings()).toEqual(['Your storage limit has been exceeded'])
  expect(turns).toEqual([harness.userid])
  // Starter charges for more.
  await requestPlan(harness.deps, caller, { planLevel: 1 })
  await warnings()
  expect(turns).toEqual([harness.userid, harness.userid])
})

test('the end of a limit with its period is shown for a day', async () => {
  const { harness, script, warnings } = await openWarned()
  const { userid, billing } = harness
  script.flow('cloud_traffic', clock.now(), 50)
  clock.advance(60_000)
  expect(await warnings()).toEqual(['Your traffic limit has been exceeded'])
  clock.set(new Date('2027-02-01T00:10:00Z'))
  expect(await warnings()).toEqual([])
  expect(await billing.notices(database.db, userid)).toMatchObject([{ kind: 'SUCCESSFUL', key: 'usageOpen' }])
  clock.advance(25 * 3600_000)
  expect(await billing.notices(database.db, userid)).toEqual([])
  expect(await warnings()).toEqual([])
})

test('a default card is warned of once, in the last month that it can be charged in', async () => {
  const { harness, warnings } = await openWarned()
  await harness.keepCard()
  clock.set(new Date('2040-11-30T23:00:00Z'))
  expect(await warnings()).toEqual([])
  clock.set(new Date('2040-12-01T00:00:00Z'))
  expect(await warnings()).toEqual(['Your card ending 4242 expires soon'])
  expect(await warnings()).toEqual([])
})
