/** A database that is gone for a while: what edges counted and agents said meanwhile is there once, when it is back. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createTestClock, createTestDatabase, until } from '@atoll/testkit'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { createDatabase, type Database } from '../../../platform/db/index.ts'
import { createListener, type Listener } from '../../../platform/events/index.ts'
import { addTraffic, createEdge, type Edge, sumTraffic } from '../../edge/index.ts'
import { withoutLimits } from '../../edge/testing/test-edge.ts'
import { createVisitor } from '../../edge/testing/visitor.ts'
import { createObserve } from '../../observe/index.ts'

const clusterId = 'cl_away00000000'
const begin = new Date()
const instance = createServer(async (request, response) => response.end(`${(await text(request)).length}`))
let scratch: Awaited<ReturnType<typeof createTestDatabase>>
let admin: Client
let database: Database
let listener: Listener
let edge: Edge
let port: number
/** The logged failures, as text. */
const failed: string[] = []
const log = pino({ level: 'error' }, { write: (line: string) => void failed.push(line) })

beforeAll(async () => {
  scratch = await createTestDatabase()
  admin = new Client({ connectionString: scratch.url.replace(/\/test_\w+/, '/postgres') })
  await admin.connect()
  database = createDatabase({ connectionString: scratch.url })
  listener = await createListener({ connection: { connectionString: scratch.url }, log })
  instance.listen(0, '127.0.0.1')
  await once(instance, 'listening')
  const to = { host: '127.0.0.1', port: (instance.address() as AddressInfo).port } // a TCP listener's is always this
  edge = createEdge({
    db: database.db,
    clock: systemClock,
    listener,
    log,
    peerProofs: ['proof'],
    config: { host: '127.0.0.1', product: 'Atoll', trustProxy: 0, ...withoutLimits },
    agents: { meetDial: async () => undefined, listEnrolled: async (ids) => [...ids] },
    findRoute: async (host) => ({ clusterId, instanceId: 'in_away00000000', clusterHost: host, ...to, serving: true }),
    addTraffic: (at, counted) => addTraffic(database.db, at, counted),
  })
  port = await edge.listen(0)
})
afterAll(async () => {
  await edge.close(100)
  await listener.close()
  instance.closeAllConnections()
  instance.close()
  await database.close()
  await admin.end()
  await scratch.drop()
})

/** As when PostgreSQL is gone: no connection is left, and none is let in. */
async function away(meanwhile: () => Promise<void>): Promise<void> {
  const name = /test_\w+/.exec(scratch.url)?.[0]
  await admin.query(`alter database ${name} allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  await meanwhile()
  await admin.query(`alter database ${name} allow_connections true`)
}

test('visitors are served on, and each byte is counted once', async () => {
  const visit = createVisitor(port, 'away.atoll.test')
  const carry = async (bytes: number) => {
    const { status, body } = await visit({ method: 'POST', body: 'a'.repeat(bytes) })
    expect([status, body.toString()]).toEqual([200, `${bytes}`])
  }
  const counted = async () => (await sumTraffic(database.db, clusterId, begin)).in
  await carry(1000)
  await until('the first is counted', async () => (await counted()) === 1000)
  failed.length = 0
  const failures = () => failed.filter((line) => line.includes('writing traffic')).length
  await away(async () => {
    for (let round = 1; round <= 5; round += 1) await carry(10_000)
    await until('writing failed', () => failures() >= 1)
    for (let round = 1; round <= 5; round += 1) await carry(20_000)
    const before = failures()
    await until('writing failed again', () => failures() > before)
  })
  await carry(3)
  await until('all is counted', async () => (await counted()) >= 1000 + 150_000 + 3)
  expect(await counted()).toBe(151_003)
})

test.each([1, 20])('what agents said in %d minutes of it is kept by the minute, each sample once', async (gone) => {
  const clock = createTestClock(new Date(Math.floor(Date.now() / 60_000) * 60_000 - 60 * 60_000))
  const instanceId = `in_away${gone}`
  const { samples, startWriter } = createObserve({ db: database.db, clock, log, onMeasured: async () => undefined })
  const writer = startWriter()
  let said = 0
  const speak = async (minutes: number) => {
    for (let second = 0; second < minutes * 60; second += 5) {
      said += 1
      const sizes = { memoryUsed: 1e9, memoryTotal: 8e9, diskUsed: 5e9, diskTotal: 4e10 }
      writer.add(instanceId, { at: 0, cpu: 0.5, ...sizes, netIn: said * 1000, netOut: said * 10 })
      clock.advance(5000)
    }
  }
  await speak(2)
  await writer.write()
  failed.length = 0
  await away(async () => {
    await speak(gone)
    await until('writing failed', () => failed.some((line) => line.includes('writing samples')))
  })
  await speak(1)
  await writer.stop()
  const { rows } = await database.pool.query<{ samples: number; parts: number; bytes: number }>(
    `select sum(samples)::int as samples, count(*)::int as parts, max(net_in)::int as bytes
      from minute_samples join sample_series using (series) where instance_id = $1`,
    [instanceId],
  )
  expect(rows).toEqual([{ samples: said, parts: gone + 3, bytes: said * 1000 }])
  expect((await samples.latest([instanceId])).get(instanceId)?.at).toEqual(new Date(clock.now().getTime() - 5000))
})
