import { createTestClock } from '@atoll/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { changePlan } from '../sell/change-plan.ts'
import { type Harness, instanceTerms, openHarness } from '../testing/billing-harness.ts'
import { scriptedMeters } from '../testing/scripted-meters.ts'
import { catalogOf, testPlans } from '../testing/test-plans.ts'
import { assumeCards } from './assume-cards.ts'
import { decideNext, foreseeNext, rehearseNext } from './next-bill.ts'
import { createRehearsals } from './share-rehearsals.ts'

const start = new Date('2027-01-31T12:00:00Z')
const clock = createTestClock(start)
const database = useDatabase()
let harness: Harness
let script: ReturnType<typeof scriptedMeters>
let card: { id: string; gateway: string } | null

beforeEach(async () => {
  clock.set(start)
  script = scriptedMeters(clock)
  const catalog = catalogOf(testPlans)
  harness = await openHarness(database, { clock, catalog, meters: script.meters, findMethod: async () => card })
  card = { id: await harness.keepCard(), gateway: 'sandbox' }
})

const asked = () => ({ userid: harness.userid, locale: 'en-US' }) as const
const decide = () => decideNext(harness.deps, asked())
const next = () => foreseeNext(harness.deps, asked(), createRehearsals())
const charge = () =>
  harness.transact((trx) => assumeCards(harness.deps, trx, { userid: harness.userid, at: clock.now(), cards: 'pay' }))

async function order(price: number) {
  const { userid, billing } = harness
  const clusterId = await harness.insertCluster()
  const instances = [{ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(price) }]
  const facts = { userid, clusterId, instances, at: clock.now(), coupons: [], method: card }
  await harness.transact((trx) => billing.order(trx, facts))
  await charge()
}

async function choosePlan(planLevel: number) {
  const { userid, did } = harness
  const caller = { userid, did, sessionId: 'ss_test', role: 'User' as const, ip: '127.0.0.1' }
  await harness.transact((trx) => changePlan(harness.deps, trx, caller, { planLevel }))
  await charge()
}

describe('the next bill', () => {
  test('says how it is paid; none comes where nothing renews', async () => {
    expect(await next()).toEqual({ upcoming: null })
    await harness.credit(1640)
    await order(1440)
    const { upcoming } = await next()
    expect(upcoming).toMatchObject({ at: '2027-02-28T12:00:00.000Z', amount: 1440, fromBalance: 200, toCard: 1240 })
  })

  test('is answered while another transaction holds the lock of the account, if nothing is owed', async () => {
    await order(1440)
    const { upcoming } = await harness.transact(next)
    expect(upcoming).toMatchObject({ at: '2027-02-28T12:00:00.000Z', amount: 1440, toCard: 1440 })
  })

  test('of a plan and a cluster is the earlier one, and leaves the usage that falls due with it aside', async () => {
    await choosePlan(1)
    clock.set(new Date('2027-02-03T12:00:00Z'))
    await order(1440)
    const decided = await decide()
    expect(decided).toMatchObject({ at: '2027-02-28T12:00:00.000Z', items: [{ productName: expect.any(String) }] })
    expect({ upcoming: decided }).toEqual(await rehearseNext(harness.deps, asked()))
  })
})

describe('only a rehearsal knows the next bill', () => {
  test('of an account that owes one', async () => {
    await order(1440)
    clock.set(new Date('2027-02-28T12:00:00Z'))
    await harness.runDue()
    expect(await decide()).toBeUndefined()
    expect(await next()).toMatchObject({ upcoming: { at: '2027-03-31T12:00:00.000Z', amount: 1440 } })
  })

  test('where two renewals are late, of which either may be tried first', async () => {
    await order(1440)
    clock.set(new Date('2027-02-09T00:00:00Z'))
    await order(900)
    clock.set(new Date('2027-03-12T00:00:00Z'))
    expect(await decide()).toBeUndefined()
    expect(await next()).toMatchObject({ upcoming: { at: '2027-03-12T00:00:00.000Z' } })
  })

  test('where usage is late that is billed before', async () => {
    await choosePlan(1)
    clock.set(new Date('2027-02-03T12:00:00Z'))
    await order(1440)
    clock.set(new Date('2027-02-28T12:00:00Z'))
    await harness.runDue()
    await charge()
    // Without the renewal of the plan: that of the cluster and the plan's usage are left.
    await database.pool.query(`delete from due_items where userid = $1 and kind = 'renewal' and due_at > $2`, [
      harness.userid,
      new Date('2027-03-15T00:00:00Z'),
    ])
    clock.set(new Date('2027-04-02T00:00:00Z'))
    expect(await decide()).toBeUndefined()
  })

  test('where usage has come to what its means cover', async () => {
    await choosePlan(1)
    expect(await decide()).toMatchObject({ kind: 'renewal' })
    script.flow('cloud_traffic', new Date('2027-01-31T13:00:00Z'), 2000)
    clock.set(new Date('2027-01-31T15:00:00Z'))
    expect(await decide()).toBeUndefined()
    expect(await next()).toMatchObject({ upcoming: { at: '2027-01-31T15:29:00.000Z', kind: 'usage' } })
  })

  test('where no card pays it', async () => {
    await order(1440)
    card = null
    expect(await decide()).toBeUndefined()
    expect(await next()).toMatchObject({ upcoming: { amount: 1440, toCard: 1440 } })
  })

  test('where the plan only ends', async () => {
    await choosePlan(1)
    await choosePlan(0)
    expect(await decide()).toBeUndefined()
    expect(await next()).toEqual({ upcoming: null })
  })
})
