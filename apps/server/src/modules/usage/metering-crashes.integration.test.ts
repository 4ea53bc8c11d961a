/** The crash matrix of metering: a process dies before any statement, and the next one counts on. */
import { createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import { dieAtEach } from '../../platform/db/testing/mortal-database.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { openHarness } from '../billing/testing/billing-harness.ts'
import { catalogOf, testPlans } from '../billing/testing/test-plans.ts'
import { listLivingClusterIds, listOwners } from '../clusters/index.ts'
import { addTraffic } from '../edge/index.ts'
import { createTrafficLimits } from './limits/traffic-limits.ts'
import { createMeters } from './readings/meters.ts'
import { usageRead } from './readings/usage-read.ts'
import { verifyReadings } from './readings/verify-readings.ts'
import { quota } from './testing/two-edges.ts'

const database = useDatabase()
const hourMs = 3_600_000
const gigabyte = 1_000_000_000

test('a process dies while it reads what was used: each byte is read once', async () => {
  const start = new Date('2028-02-28T00:00:00Z')
  const after = (hours: number) => new Date(start.getTime() + hours * hourMs)
  const clock = createTestClock(after(4))
  const meters = createMeters({ clock })
  const deaths = await dieAtEach(database.url, async ({ db, isDead }) => {
    const harness = await openHarness(database, { clock })
    const { userid: owner } = harness
    const clusterId = await harness.insertCluster()
    const held = { clusterId, owner }
    const disk = { at: clock.now(), diskUsed: 10 * gigabyte }
    const readAs = async (from: Db) => {
      const job = usageRead({
        db: from,
        clock,
        listMeteredInstances: async () => [
          { ...held, instanceId: `in ${clusterId}`, stopped: false, diskTotal: 20 * gigabyte },
        ],
        listEnds: async () => [],
        latestDisk: async () => new Map([[`in ${clusterId}`, disk]]),
        listBackupLevels: async () => [{ ...held, repositoryId: `vr ${clusterId}`, bytes: 3 * gigabyte }],
      })
      await job.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
    }
    for (const hours of [0, 1, 2])
      for (const kind of ['edge', 'CloudflareNetwork'] as const)
        await addTraffic(database.db, after(hours), [{ clusterId, kind, in: 1_000_000, out: 2_000_000 }])
    await readAs(db).catch((error: unknown) => {
      if (!isDead()) throw error
    })
    await readAs(database.db)
    const { rows } = await database.pool.query(
      `select product_type, count(*)::int as count, sum(bytes)::float8 as bytes from meter_readings
        where cluster_id = $1 group by 1 order by 1`,
      [clusterId],
    )
    expect(rows).toEqual([
      { product_type: 'cloud_backup', count: 1, bytes: 3 * gigabyte },
      { product_type: 'cloud_storage', count: 1, bytes: 10 * gigabyte },
      { product_type: 'cloud_traffic', count: 6, bytes: 18_000_000 },
    ])
    const span = { userid: owner, productType: 'cloud_traffic' as const, from: start, to: after(3) }
    expect(await meters.read(database.db, span)).toMatchObject({
      used: 9_000n,
      complete: true,
      uncharged: [{ clusterId, network: 'CloudflareNetwork', used: 9_000n }],
    })
    expect(await verifyReadings(database.db)).toMatchObject({ whole: true })
  })
  // Three sources, each with what begins and ends its transaction.
  expect(deaths).toBeGreaterThanOrEqual(12)
})

test('a process dies while it counts traffic: it is counted with what it takes off the plan, or not at all', async () => {
  const outcomes = new Set<string>()
  const deaths = await dieAtEach(database.url, async ({ db, isDead }) => {
    const catalog = catalogOf(testPlans)
    const harness = await openHarness(database, { catalog, meters: createMeters({ clock: systemClock }) })
    const clusterId = await harness.insertCluster()
    const countAs = async (from: Db, bytes: number) => {
      const limits = createTrafficLimits({
        db: from,
        clock: systemClock,
        log: silentLog,
        listOwners,
        listLivingClusterIds,
        readRoom: (reader, userid) => harness.billing.trafficRoom(reader, userid),
        onTurn: async () => undefined,
      })
      await limits.count(systemClock.now(), [{ clusterId, kind: 'edge', in: bytes, out: 0 }])
      return limits
    }
    await countAs(db, quota).catch((error: unknown) => {
      if (!isDead()) throw error
    })
    const limits = await countAs(database.db, 1)
    const { rows } = await database.pool.query<{ bytes: number; limited: boolean }>(
      `select sum(bytes_in)::float8 as bytes, (select limited from traffic_allowances where userid = $2) as limited
        from traffic_counters where cluster_id = $1`,
      [clusterId, harness.userid],
    )
    const { bytes = 0, limited = false } = rows[0] ?? {}
    expect([1, quota + 1]).toContain(bytes)
    expect(limited).toBe(bytes > quota)
    expect((await limits.ofOwner(harness.userid)).limitedUntil !== undefined).toBe(limited)
    outcomes.add(bytes > quota ? 'counted' : 'not counted')
  })
  expect(deaths).toBeGreaterThanOrEqual(8)
  expect(outcomes).toEqual(new Set(['not counted', 'counted']))
})
