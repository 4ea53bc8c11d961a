import { createTestClock, createTestDatabase, type TestDatabase, until } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type Database } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import type { AgentMetricsRow } from '../agents-tables.ts'
import { agentPrune } from '../jobs/agent-prune.ts'
import { insertMetrics, latestMetrics, listMetrics } from './metrics-store.ts'
import { createMetricsWriter } from './metrics-writer.ts'

const hour = 3600_000
const start = Date.parse('2026-06-01T00:00:00Z')
let testDatabase: TestDatabase
let database: Database
let serial = 0

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = createDatabase({ connectionString: testDatabase.url })
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

function newInstance(): string {
  serial += 1
  return `in_metrics${serial}0000`
}

function row(instanceId: string, ms: number, change: Partial<AgentMetricsRow> = {}): AgentMetricsRow {
  const common = { cpu: 0.5, memory_used: 100, memory_total: 200, disk_used: 10, disk_total: 20, net_in: 0, net_out: 0 }
  return { instance_id: instanceId, at: new Date(start + ms), ...common, ...change }
}

/** A measurement every 5 s for `lengthMs`, with traffic of 1000 bytes in and 100 out per second. */
async function fill(instanceId: string, lengthMs: number): Promise<void> {
  const rows = Array.from({ length: lengthMs / 5000 }, (_, at) =>
    row(instanceId, at * 5000, { net_in: at * 5000, net_out: at * 500 }),
  )
  for (let at = 0; at < rows.length; at += 5000) await insertMetrics(database.db, rows.slice(at, at + 5000))
}

describe('the series of an instance', () => {
  test.each([12, 24, 72, 168])('over %d hours has at most 300 points, each the mean of its span', async (hours) => {
    const instanceId = newInstance()
    await fill(instanceId, hours * hour)
    const range = { from: new Date(start), to: new Date(start + hours * hour) }
    const series = await listMetrics(database.db, instanceId, range)
    for (const points of [series.cpu, series.memory, series.disk, series.netIn, series.netOut]) {
      expect(points.length).toBeGreaterThan(280)
      expect(points.length).toBeLessThanOrEqual(300)
      expect(points.map(([t]) => t)).toEqual(points.map(([t]) => t).sort((a, b) => a - b))
    }
    expect(new Set(series.cpu.map(([, value]) => value))).toEqual(new Set([0.5]))
    expect(new Set(series.netIn.map(([, value]) => value))).toEqual(new Set([1000]))
    expect(series.lastUpdatedAt?.getTime()).toBe(start + hours * hour - 5000)
  })

  test('has no points where nothing was measured, and no traffic over the gap', async () => {
    const instanceId = newInstance()
    await insertMetrics(database.db, [
      row(instanceId, 0, { net_in: 0 }),
      row(instanceId, 5000, { net_in: 50 }),
      row(instanceId, 6 * hour, { net_in: 1_000_000 }),
      row(instanceId, 6 * hour + 5000, { net_in: 1_000_100 }),
    ])
    const range = { from: new Date(start), to: new Date(start + 12 * hour) }
    const { cpu, netIn } = await listMetrics(database.db, instanceId, range)
    expect(cpu).toHaveLength(2)
    expect(netIn.map(([, value]) => value)).toEqual([10, 20])
  })

  test('counts on after an agent that began its counters anew', async () => {
    const instanceId = newInstance()
    await insertMetrics(database.db, [
      row(instanceId, 0, { net_out: 1_000_000 }),
      row(instanceId, 10_000, { net_out: 1_000_100 }),
      row(instanceId, 20_000, { net_out: 300 }),
    ])
    const range = { from: new Date(start), to: new Date(start + hour * 12) }
    const { netOut } = await listMetrics(database.db, instanceId, range)
    expect(netOut.map(([, value]) => value)).toEqual([20])
  })

  test('is empty for an instance that never reported', async () => {
    const range = { from: new Date(start), to: new Date(start + hour) }
    expect(await listMetrics(database.db, newInstance(), range)).toMatchObject({ cpu: [], lastUpdatedAt: null })
  })
})

test('the latest measurement is found for many instances at once', async () => {
  const [first, second, never] = [newInstance(), newInstance(), newInstance()]
  await insertMetrics(database.db, [
    row(first, 0),
    row(first, 5000, { cpu: 0.25 }),
    row(second, 0, { memory_used: 2 ** 40 }),
  ])
  const latest = await latestMetrics(database.db, [first, second, never])
  expect([...latest.keys()].sort()).toEqual([first, second].sort())
  expect(latest.get(first)).toMatchObject({ cpu: 0.25, at: new Date(start + 5000) })
  expect(latest.get(second)).toMatchObject({ memoryUsed: 2 ** 40 })
})

test('measurements are removed after eight days', async () => {
  const instanceId = newInstance()
  const clock = createTestClock(new Date(start + 9 * 24 * hour))
  await insertMetrics(database.db, [row(instanceId, 0), row(instanceId, 2 * 24 * hour)])
  const job = agentPrune({ db: database.db, clock })
  await job.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
  const left = await database.db
    .selectFrom('agent_metrics')
    .select('at')
    .where('instance_id', '=', instanceId)
    .execute()
  expect(left).toEqual([{ at: new Date(start + 2 * 24 * hour) }])
})

test('an absurd figure of one agent does not spoil what others measured', async () => {
  const [mad, tiny, sane] = [newInstance(), newInstance(), newInstance()]
  const clock = createTestClock(new Date(start))
  const writer = createMetricsWriter({ db: database.db, clock, log: silentLog, onMeasured: async () => undefined })
  const metrics = { at: 0, cpu: 0.1, memoryUsed: 1, memoryTotal: 2, diskUsed: 1, diskTotal: 2, netIn: 0, netOut: 0 }
  writer.add(mad, { ...metrics, cpu: 1e300, memoryUsed: 1e300 })
  writer.add(tiny, { ...metrics, cpu: 1e-300, memoryUsed: 1e-300 })
  writer.add(sane, metrics)
  await writer.stop()
  const latest = await latestMetrics(database.db, [mad, tiny, sane])
  expect([mad, tiny, sane].map((id) => latest.get(id)?.cpu)).toEqual([1, 0, 0.1])
})

test('measurements that are added are written together, the last ones when it stops', async () => {
  const instanceId = newInstance()
  const clock = createTestClock(new Date(start))
  const measured: string[] = []
  const onMeasured = async (ids: readonly string[]) => void measured.push(...ids)
  const writer = createMetricsWriter({ db: database.db, clock, log: silentLog, onMeasured })
  const metrics = { at: 0, cpu: 0.1, memoryUsed: 1, memoryTotal: 2, diskUsed: 1.6, diskTotal: 2, netIn: 0, netOut: 0 }
  writer.add(instanceId, metrics)
  await until('written', async () => (await latestMetrics(database.db, [instanceId])).get(instanceId)?.diskUsed === 2)
  await until('whose they are is told', () => measured.length > 0)
  expect(measured).toEqual([instanceId])
  clock.advance(5000)
  writer.add(instanceId, { ...metrics, cpu: 0.9 })
  await writer.stop()
  expect((await latestMetrics(database.db, [instanceId])).get(instanceId)).toMatchObject({ at: new Date(start + 5000) })
})
