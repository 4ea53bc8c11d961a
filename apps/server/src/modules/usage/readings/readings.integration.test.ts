import { createTestClock } from '@atoll/testkit'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { type Harness, openHarness } from '../../billing/testing/billing-harness.ts'
import { addTraffic, type TrafficKind } from '../../edge/index.ts'
import { createMeters } from './meters.ts'
import { type BackupLevel, takeBackup } from './take-backups.ts'
import type { MeteredInstance } from './take-levels.ts'
import { usageRead } from './usage-read.ts'
import { verifyReadings } from './verify-readings.ts'

const hour = 3_600_000
const start = new Date('2028-02-28T00:00:00Z')
const after = (hours: number) => new Date(start.getTime() + hours * hour)
const database = useDatabase()
let harness: Harness
let clusterId: string
const clock = createTestClock(start)
const meters = createMeters({ clock })
const instances = new Map<string, MeteredInstance>()
const samples = new Map<string, { at: Date; diskUsed: number }>()
const ends = new Map<string, Date>()
const backups: BackupLevel[] = []

beforeEach(async () => {
  clock.set(start)
  for (const map of [instances, samples, ends]) map.clear()
  backups.length = 0
  harness = await openHarness(database, { clock })
  clusterId = await harness.insertCluster()
})

/** Reads at that hour, and ten minutes. */
async function readAt(hours: number): Promise<void> {
  clock.set(new Date(after(hours).getTime() + hour / 6))
  const job = usageRead({
    db: database.db,
    clock,
    listMeteredInstances: async () => [...instances.values()],
    listEnds: async (_, ids) =>
      ids.flatMap((instanceId) => {
        const at = ends.get(instanceId)
        return at ? [{ instanceId, at }] : []
      }),
    latestDisk: async () => samples,
    listBackupLevels: async () => backups,
  })
  await job.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
}
const count = (hours: number, bytes: number, kind: TrafficKind = 'edge', cluster = clusterId) =>
  addTraffic(database.db, after(hours), [{ clusterId: cluster, kind, in: bytes, out: 0 }])
const read = (productType: 'cloud_traffic' | 'cloud_storage' | 'cloud_backup', from: number, to: number) =>
  meters.read(database.db, { userid: harness.userid, productType, from: after(from), to: after(to) })
const readings = async () =>
  (
    await database.pool.query('select network, from_at, bytes, seq from meter_readings where owner = $1 order by id', [
      harness.userid,
    ])
  ).rows

describe('traffic', () => {
  test('is known as it is counted, read once its hour is closed, and complete from then on', async () => {
    await count(0.5, 99_999)
    await count(1.9, 4_000_000_000)
    await count(4, 2999, 'CloudflareNetwork')
    await count(5, 77_777)
    clock.set(after(5))
    const before = await read('cloud_traffic', 0.75, 4.5)
    expect(before).toMatchObject({
      used: 4_000_000n,
      unitLabel: 'GB',
      complete: false,
      parts: [{ clusterId, network: 'FrpNetwork', used: 4_000_000n }],
      uncharged: [{ clusterId, network: 'CloudflareNetwork', used: 3n }],
    })
    await readAt(5)
    await readAt(5)
    expect(await readings()).toEqual([
      { network: 'FrpNetwork', from_at: after(0), bytes: '99999', seq: 1 },
      { network: 'FrpNetwork', from_at: after(1), bytes: '4000000000', seq: 1 },
      { network: 'CloudflareNetwork', from_at: after(4), bytes: '2999', seq: 1 },
    ])
    const { digest, ...whole } = await read('cloud_traffic', 0.75, 4.5)
    expect(whole).toEqual({ ...before, digest: undefined, complete: true })
    expect((await read('cloud_traffic', 0.75, 4.5)).digest).toBe(digest)
  })

  test('that comes late is another reading of its hour, with the difference', async () => {
    await count(1, 5000)
    await readAt(3)
    const { digest } = await read('cloud_traffic', 0, 3)
    await count(1, 2000)
    expect(await read('cloud_traffic', 0, 3)).toMatchObject({ used: 7n })
    expect(await verifyReadings(database.db), 'unread until the next hour').toMatchObject({ whole: true })
    await readAt(40)
    expect((await readings()).map(({ bytes, seq }) => [bytes, seq])).toEqual([
      ['5000', 1],
      ['2000', 2],
    ])
    const later = await read('cloud_traffic', 0, 3)
    expect(later).toMatchObject({ used: 7n, complete: true })
    expect(later.digest).not.toBe(digest)
  })

  test('that was read by a clock a day ahead is whole once that is set back, and complete when it is read again', async () => {
    await count(0.5, 5000)
    await readAt(30)
    await readAt(2)
    await count(3.5, 7000)
    expect(await verifyReadings(database.db)).toMatchObject({ whole: true })
    expect(await read('cloud_traffic', 0, 4)).toMatchObject({ used: 12n, complete: false })
    await readAt(4)
    expect(await read('cloud_traffic', 0, 4)).toMatchObject({ used: 12n, complete: true })
    expect(await verifyReadings(database.db)).toMatchObject({ whole: true })
  })

  test('adds up to its counters, whatever is counted and read when, and how often', async () => {
    const step = fc.oneof(
      fc.record({ at: fc.integer({ min: 0, max: 60 }), bytes: fc.integer({ min: 1, max: 1_000_000_000 }) }),
      fc.record({ readAt: fc.integer({ min: 0, max: 61 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        harness = await openHarness(database, { clock })
        clusterId = await harness.insertCluster()
        let sum = 0n
        for (const one of steps) {
          if ('readAt' in one) await readAt(one.readAt)
          else await count(one.at, one.bytes)
          if ('bytes' in one && one.at < 48) sum += BigInt(one.bytes)
        }
        clock.set(after(61))
        const expected = { parts: sum === 0n ? [] : [{ clusterId }] }
        const before = await read('cloud_traffic', 0, 48)
        await readAt(61)
        const { used, complete, parts } = await read('cloud_traffic', 0, 48)
        expect({ parts }).toMatchObject(expected)
        expect(before.used).toBe(used)
        expect(complete).toBe(true)
        // To the nearest thousand bytes.
        expect(used * 1000n - sum).toBeLessThanOrEqual(500n)
        expect(sum - used * 1000n).toBeLessThanOrEqual(500n)
        expect(await verifyReadings(database.db)).toMatchObject({ whole: true })
      }),
      { numRuns: 12 },
    )
  })
})

describe('storage', () => {
  const gigabyte = 1_000_000_000
  /** An instance of a cloud, measured at that hour. */
  function measure(series: string, hours: number, bytes: number, stopped = false): void {
    const diskTotal = 100 * gigabyte
    instances.set(series, { instanceId: series, clusterId, owner: harness.userid, stopped, diskTotal })
    samples.set(series, { at: after(hours), diskUsed: bytes })
  }

  test('is the mean of what was held: while it is up, while it is stopped, 48 hours into silence, until it is gone', async () => {
    measure('in_a', 0, 10 * gigabyte)
    await readAt(0)
    measure('in_a', 1, 20 * gigabyte)
    await readAt(1)
    await readAt(1)
    measure('in_a', 1, 20 * gigabyte, true)
    for (let at = 2; at <= 10; at += 1) await readAt(at)
    const sixth = 1 / 6
    expect(await read('cloud_storage', 0, 10 + sixth)).toMatchObject({
      // 10 GB for an hour, then 20 GB, of ten hours and ten minutes that began with ten minutes of nothing.
      used: (1_000_000n * (10n + 9n * 20n) * 6n + 30n) / 61n,
      complete: true,
      parts: [{ clusterId }],
    })
    // Silence: as it was for 48 hours.
    measure('in_a', 1, 0)
    for (const at of [11, 40, 100]) await readAt(at)
    expect((await read('cloud_storage', 58, 58 + sixth)).used).toBe(20_000_000n)
    expect((await read('cloud_storage', 58 + sixth, 59)).used).toBe(0n)
    expect((await read('cloud_storage', 58 + sixth, 100)).complete).toBe(true)
    // Back, then gone.
    measure('in_a', 101, 50 * gigabyte)
    await readAt(101)
    instances.clear()
    ends.set('in_a', after(102))
    await readAt(102)
    await readAt(103)
    expect((await read('cloud_storage', 101.5, 102)).used).toBe(50_000_000n)
    expect((await read('cloud_storage', 102, 103)).used).toBe(0n)
    expect(await readings()).toHaveLength(13)
    expect(await verifyReadings(database.db)).toMatchObject({ whole: true })
  })

  test('of a clock that was a day ahead for an hour, and a day behind for another, is off by that hour at most', async () => {
    const readThen = async (at: number, gigabytes: number) => {
      measure('in_d', at, gigabytes * gigabyte)
      await readAt(at)
    }
    for (let at = 0; at <= 30; at += 1) await readThen(at, 10)
    await readThen(54, 10)
    await readThen(31, 10)
    await readThen(7, 10)
    for (let at = 32; at <= 60; at += 1) await readThen(at, at < 40 ? 10 : 20)
    const sixth = 1 / 6
    expect((await read('cloud_storage', sixth, 40 + sixth)).used).toBe(10_000_000n)
    // The hour that was read a day too soon stays as it was read then.
    expect((await read('cloud_storage', 40 + sixth, 60 + sixth)).used).toBe(19_500_000n)
    expect(await verifyReadings(database.db)).toMatchObject({ whole: true })
  })

  test('carries on while an instance is stopped, also over days in which nobody read', async () => {
    measure('in_h', 0, 20 * gigabyte)
    await readAt(0)
    measure('in_h', 0, 20 * gigabyte, true)
    await readAt(1)
    await readAt(100)
    await readAt(101)
    const sixth = 1 / 6
    // A level that was not read for over 48 hours stays unknown.
    expect((await read('cloud_storage', 49 + sixth, 100 + sixth)).used).toBe(0n)
    expect((await read('cloud_storage', 100 + sixth, 101 + sixth)).used).toBe(20_000_000n)
    instances.clear()
    ends.set('in_h', after(102))
    await readAt(102)
    expect((await read('cloud_storage', 102, 103)).used).toBe(0n)
  })

  test('of several instances adds up, and is never more than was ordered', async () => {
    measure('in_b', 0, 10 * gigabyte)
    measure('in_c', 0, 1e15)
    await readAt(0)
    await readAt(1)
    expect((await read('cloud_storage', 0.5, 1)).used).toBe(110_000_000n)
    expect(await read('cloud_storage', 0.5, 200)).toMatchObject({ complete: false })
  })

  test('of a cluster that is destroyed, comes back on another instance and is silent for a month is charged once', async () => {
    measure('in_e', 0, 10 * gigabyte)
    await readAt(0)
    await readAt(1)
    // Destroyed within the hour, restored on another machine within the same one.
    instances.clear()
    ends.set('in_e', after(1.5))
    measure('in_f', 1.75, 30 * gigabyte)
    await readAt(2)
    await readAt(3)
    await count(3.5, 7_000_000_000)
    const quarter = 1 / 4
    const used = async (from: number, to: number) => (await read('cloud_storage', from, to)).used
    expect(await used(1, 1.5)).toBe(10_000_000n)
    expect(await used(1.5, 2 + quarter / 2)).toBe(0n)
    expect(await used(2 + quarter, 3)).toBe(30_000_000n)
    // Given to another machine once more, which takes the place of the one before at once.
    instances.clear()
    ends.set('in_f', after(3.5))
    measure('in_g', 3.5, 30 * gigabyte)
    await readAt(4)
    await readAt(5)
    expect(await used(4 + quarter, 5)).toBe(30_000_000n)
    // A month without a word: two days of it are as it was, the rest is nothing, and what came before stays.
    const before = await read('cloud_storage', 0, 5)
    await readAt(30 * 24)
    await readAt(31 * 24)
    expect(await used(31 * 24 - 1, 31 * 24)).toBe(0n)
    expect(await used(5, 5 + 30 * 24)).toBeLessThan(30_000_000n / 10n)
    expect(await read('cloud_storage', 0, 5)).toMatchObject({ used: before.used, parts: before.parts })
    expect((await read('cloud_traffic', 0, 31 * 24)).used).toBe(7_000_000n)
    expect(await verifyReadings(database.db)).toMatchObject({ whole: true })
  })
})

describe('backups', () => {
  test('are read once an hour for each repository, and what is empty holds nothing', async () => {
    const hold = (repositoryId: string, bytes: number) =>
      backups.push({ repositoryId, clusterId, owner: harness.userid, bytes })
    hold('vr_one', 6_000_000_000)
    hold('vr_two', 1_000_000_000)
    await readAt(0)
    await readAt(0)
    await readAt(1)
    backups.length = 0
    hold('vr_one', 0)
    hold('vr_two', 1_000_000_000)
    await readAt(2)
    expect(await read('cloud_backup', 0.5, 1.5)).toMatchObject({
      used: 7_000_000n,
      parts: [{ clusterId, used: 7_000_000n }],
    })
    expect(await readings()).toHaveLength(6)
    await readAt(3)
    expect(await read('cloud_backup', 2.5, 3)).toMatchObject({ used: 1_000_000n, complete: true })
  })

  test('are read besides when a run, pruning or deleting changes them: from then on, and not from the next hour', async () => {
    const level = { repositoryId: 'vr_run', clusterId, owner: harness.userid }
    const change = (hours: number, bytes: number) =>
      database.db.transaction().execute((trx) => takeBackup(trx, { ...level, bytes }, after(hours)))
    backups.push({ ...level, bytes: 2_000_000_000 })
    await readAt(0)
    await change(0.5, 10_000_000_000)
    await change(0.5, 10_000_000_000)
    await change(0.75, 0)
    backups[0] = { ...level, bytes: 0 }
    await readAt(1)
    expect((await read('cloud_backup', 0.25, 0.5)).used).toBe(2_000_000n)
    expect((await read('cloud_backup', 0.5, 0.75)).used).toBe(10_000_000n)
    expect((await read('cloud_backup', 0.75, 1.5)).used).toBe(0n)
    expect(await verifyReadings(database.db)).toMatchObject({ whole: true })
  })
})

describe('readings', () => {
  test('are never changed by the server, and a changed one is found', async () => {
    await count(0, 5000)
    await readAt(2)
    const { pool } = database
    await expect(pool.query('update meter_readings set bytes = 1')).rejects.toThrow('append-only')
    await expect(pool.query('delete from meter_readings')).rejects.toThrow('append-only')
    expect(await verifyReadings(database.db)).toMatchObject({ whole: true })
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('alter table meter_readings disable trigger meter_readings_append_only')
      for (const change of ["to_at = to_at + interval '1 ms'", 'bytes = bytes - 1', 'taken_at = from_at']) {
        await client.query('savepoint unchanged')
        await client.query(`update meter_readings set ${change} where owner = $1`, [harness.userid])
        const { rows } = await client.query('select from meter_readings r where digest <> meter_reading_digest(r)')
        expect(rows).toHaveLength(1)
        await client.query('rollback to unchanged')
      }
      // A changed row with a matching digest is found as well, by the counter.
      await client.query(
        `update meter_readings r set bytes = 4000, digest = meter_reading_digest(
          jsonb_populate_record(r, '{"bytes": 4000}')) where owner = $1`,
        [harness.userid],
      )
      await client.query('alter table meter_readings enable trigger meter_readings_append_only')
      await client.query('commit')
    } finally {
      client.release()
    }
    expect(await verifyReadings(database.db)).toMatchObject({
      whole: false,
      where: 'meter_readings of cloud_traffic',
      problem: expect.stringContaining('others than those'),
    })
    // No hour is read again so late: the counter knows, too.
    await count(80, 1)
    await readAt(90)
    expect(await verifyReadings(database.db)).toMatchObject({
      whole: false,
      where: expect.stringContaining(clusterId),
      problem: 'its readings add up to 4000 bytes, its counter says 5000',
    })
  })
})
