/** Two edges, a plan, and what visitors of an account notice that has used it up. */
import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { until } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { requestPlan } from '../../billing/sell/change-plan.ts'
import { catalogOf, testPlans } from '../../billing/testing/test-plans.ts'
import { readCurrentUsage } from '../../billing/usage/current-usage.ts'
import { setCap } from '../../billing/usage/set-cap.ts'
import { sumTraffic } from '../../edge/index.ts'
import { callerOf, type Place, quota, startTwoEdges, type TwoEdges } from '../testing/two-edges.ts'

const sentence = 'Your traffic limit has been exceeded. Upgrade your plan to increase your traffic.'
/** Counted by the hour, and the hour may change in between. */
const begin = new Date()
const database = useDatabase()
let two: TwoEdges
beforeAll(async () => {
  two = await startTwoEdges(database)
})
afterAll(() => two.close())

const openPlace: TwoEdges['openPlace'] = (...plans) => two.openPlace(...plans)
const use: TwoEdges['use'] = (...bytes) => two.use(...bytes)
const statuses = (place: Place) => two.statuses(place)
const untilAll = (place: Place, status: number) => two.untilAll(place, status)
const raise = (place: Place) => two.raise(place)

describe('an account that has used up its traffic', () => {
  test('is served by no edge until its plan is raised; what is under way ends whole', async () => {
    const place = await openPlace()
    const { clusterId, host, visits } = place
    await use(clusterId, quota - 50_000)
    expect(await statuses(place)).toEqual([200, 200])

    const upload = http.request({ port: two.edges[0]?.port, method: 'POST', headers: { host }, agent: false })
    const uploaded = once(upload, 'response')
    upload.write('a'.repeat(1000))
    const socket = new WebSocket(`ws://127.0.0.1:${two.edges[1]?.port}/`, { headers: { host } })
    onTestFinished(() => socket.terminate())
    const closed = once(socket, 'close')
    await once(socket, 'open')

    expect((await visits[0]?.({ method: 'POST', body: 'b'.repeat(60_000) }))?.body.toString()).toBe('60000')
    await untilAll(place, 503)
    upload.end('a'.repeat(4000))
    const [answer] = await uploaded
    expect([answer.statusCode, await text(answer)]).toEqual([200, '5000'])
    await closed
    const refused = http.request({
      port: two.edges[1]?.port,
      headers: { host, connection: 'Upgrade', upgrade: 'websocket' },
      agent: false,
    })
    const [page] = await once(refused.end(), 'response')
    expect([page.statusCode, await text(page)]).toEqual([503, expect.stringContaining(sentence)])
    const owner = place.harness.userid
    const changes = await database.pool.query('select topic, object_id from changes where account = $1', [owner])
    expect(changes.rows).toContainEqual({ topic: 'cluster', object_id: clusterId })
    expect(changes.rows).toContainEqual({ topic: 'account', object_id: owner })
    // Everything was counted once, what ended after the limit, too.
    await until('counted', async () => (await sumTraffic(database.db, clusterId, begin)).in >= quota + 15_000)

    await raise(place)
    await untilAll(place, 200)
    expect((await two.limits.ofOwner(owner)).limitedUntil).toBeUndefined()
    expect(two.turns.filter((userid) => userid === owner)).toHaveLength(2)
  })

  test('gets a page in its visitor’s language, with when to come again', async () => {
    const place = await openPlace()
    await use(place.clusterId, quota)
    await untilAll(place, 503)
    const line = await place.visits[0]?.()
    expect(line?.body.toString()).toContain(sentence)
    const wait = Number(line?.headers['retry-after'])
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(3600)
    const page = await place.visits[1]?.({ headers: { accept: 'text/html', 'accept-language': 'en' } })
    expect([page?.headers['content-language'], page?.body.toString()]).toEqual([
      'en-US',
      expect.stringContaining(sentence),
    ])
    const chinese = await place.visits[1]?.({ headers: { accept: 'text/html', 'accept-language': 'zh-CN' } })
    expect(chinese?.body.toString()).toContain('流量已超出上限')
  })

  test('is served on where more is charged, up to the cap, and again when that is raised', async () => {
    const [free, ...others] = testPlans
    if (!free) throw new Error('There is no Free plan')
    const place = await openPlace([{ ...free, overage: { cloud_traffic: { usd: '0.03' } } }, ...others])
    const { harness, clusterId } = place
    await use(clusterId, quota + 20_000_000_000)
    expect(await statuses(place)).toEqual([200, 200])
    await setCap(harness.deps, callerOf(harness), { amount: 100 })
    await use(clusterId, 10_000_000_000)
    expect(await statuses(place)).toEqual([200, 200])
    await use(clusterId, 5_000_000_000)
    await untilAll(place, 503)
    await setCap(harness.deps, callerOf(harness), { amount: 200 })
    await untilAll(place, 200)
  })

  test('reaches edges with the bandwidth of its plan, that of a new plan and of a new catalogue', async () => {
    let plans = testPlans
    const place = await openPlace(plans, { current: () => catalogOf(plans).current() })
    const { clusterId, harness } = place
    const rate = async () => (await two.limits.ofOwner(harness.userid)).bytesPerSecond
    expect(await rate()).toBeUndefined()
    await use(clusterId, 1000)
    expect(await rate()).toBe(20 * 125_000)
    await raise(place)
    await use(clusterId, 1000)
    expect(await rate()).toBe(20 * 125_000)
    const other = await openPlace(plans, { current: () => catalogOf(plans).current() })
    await use(other.clusterId, 1000)
    plans = plans.map((plan) => ({ ...plan, quotas: { ...plan.quotas, bandwidthMbit: 80 } }))
    await use(other.clusterId, 1000)
    expect((await two.limits.ofOwner(other.harness.userid)).bytesPerSecond).toBe(20 * 125_000)
    await two.limits.forgetAll()
    await use(other.clusterId, 1000)
    expect((await two.limits.ofOwner(other.harness.userid)).bytesPerSecond).toBe(80 * 125_000)
    const { rows } = await database.pool.query("select 1 from changes where object_id = $1 and topic = 'cluster'", [
      other.clusterId,
    ])
    // The edges were notified each time.
    expect(rows).toHaveLength(2)
  })

  test('whose plan falls below what it used gets a notice and is stopped with what it moves next', async () => {
    let plans = testPlans
    const place = await openPlace(plans, { current: () => catalogOf(plans).current() })
    const { clusterId, harness } = place
    await use(clusterId, 20_000_000_000)
    expect(await statuses(place)).toEqual([200, 200])
    plans = plans.map((plan) => ({ ...plan, quotas: { ...plan.quotas, trafficGB: plan.level === 0 ? 10 : 300 } }))
    await two.limits.forgetAll()
    await use(clusterId, 1000)
    await untilAll(place, 503)
    expect((await two.limits.ofOwner(harness.userid)).limitedUntil).toBeInstanceOf(Date)
    const usage = await readCurrentUsage(harness.deps, database.db, harness.userid)
    expect(usage.products.find(({ product }) => product === 'cloud_traffic')).toMatchObject({ state: 'limited' })
    await raise(place)
    await untilAll(place, 200)
  })

  test('is asked about again after the clock was set back by a day', async () => {
    let plans = testPlans
    const place = await openPlace(plans, { current: () => catalogOf(plans).current() })
    const { clusterId, harness } = place
    await use(clusterId, 1000)
    await database.pool.query(`update traffic_allowances set checked_at = now() + interval '1 day' where userid = $1`, [
      harness.userid,
    ])
    plans = plans.map((plan) => ({ ...plan, quotas: { ...plan.quotas, trafficGB: 10 } }))
    await use(clusterId, 20_000_000_000)
    expect((await two.limits.ofOwner(harness.userid)).limitedUntil).toBeInstanceOf(Date)
  })

  test('that asked for a lower plan keeps what it paid for until the period ends', async () => {
    const place = await openPlace()
    const { clusterId, harness } = place
    await raise(place)
    await use(clusterId, quota + 20_000_000_000)
    await requestPlan(harness.deps, callerOf(harness), { planLevel: 0 })
    await two.limits.forgetAll()
    await use(clusterId, 1000)
    expect((await two.limits.ofOwner(harness.userid)).limitedUntil).toBeUndefined()
    expect(await statuses(place)).toEqual([200, 200])
  })

  test('used it up by what its visitors took as well as by what they sent', async () => {
    const place = await openPlace()
    await use(place.clusterId, 1000)
    await two.limits.count(new Date(), [{ clusterId: place.clusterId, kind: 'edge', in: 0, out: quota }])
    await untilAll(place, 503)
  })

  test('does not stop others', async () => {
    const [place, other] = [await openPlace(), await openPlace()]
    await Promise.all([use(place.clusterId, quota), use(other.clusterId, 1000)])
    await untilAll(place, 503)
    expect(await statuses(other)).toEqual([200, 200])
  })
})

/** Limits from the specification, ms. */
const opensWithin = 5000
const stopsWithin = 10_000
/** From one visit to the next, ms. */
const visitMs = 50

describe('the moments, on two edges', () => {
  test('no request is served that began more than ten seconds after the limit was reached', async () => {
    const place = await openPlace()
    const room = 200_000
    await use(place.clusterId, quota - room)
    const body = 'a'.repeat(5000)
    let moved = 0
    let reachedAt = Number.POSITIVE_INFINITY
    const visitOf = async (visit: Place['visits'][number]) => {
      const served: number[] = []
      // A while after the first refusal: what was known to be open may not come back.
      for (let refused = 0; refused < 30; ) {
        const beganAt = performance.now()
        const { status } = await visit({ method: 'POST', body })
        if (status === 200) {
          served.push(beganAt)
          expect(refused).toBe(0)
          moved += body.length
          if (moved >= room) reachedAt = Math.min(reachedAt, performance.now())
        } else refused += 1
      }
      return served
    }
    const served = (await Promise.all(place.visits.map(visitOf))).flat()
    expect(moved).toBeGreaterThanOrEqual(room)
    expect(served.filter((beganAt) => beganAt > reachedAt + stopsWithin)).toEqual([])
  })

  test('a raised plan opens within five seconds', async () => {
    const place = await openPlace()
    await use(place.clusterId, quota)
    await untilAll(place, 503)
    let isRaised = false
    const opened = place.visits.map(async (visit) => {
      let refused = 0
      const isServed = async () => {
        const { status } = await visit()
        if (status !== 200 && isRaised) refused += 1
        return status === 200
      }
      await until('it is served', isServed, { intervalMs: visitMs })
      return refused
    })
    await raise(place)
    isRaised = true
    // A busy machine makes fewer visits in that time, and not more.
    for (const refused of await Promise.all(opened)) expect(refused).toBeLessThanOrEqual(opensWithin / visitMs)
  })
})
