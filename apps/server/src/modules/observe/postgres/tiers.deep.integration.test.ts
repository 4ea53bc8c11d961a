/** The tiers of samples as time goes by and workers die: what is rolled up, what is dropped, what is made. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createTestClock, createTestDatabase, type TestDatabase, until } from '@atoll/testkit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type Database } from '../../../platform/db/index.ts'
import { dieAtEach } from '../../../platform/db/testing/mortal-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { samplesMaintenance } from '../jobs/samples-maintain.ts'
import type { SamplePart, SampleStore } from '../samples/sample-store.ts'
import { fiveMinuteTier, listPartitions, minuteTier } from './partitions.ts'
import { openSamples } from './postgres-samples.ts'
import { rollUpHours } from './roll-up.ts'

const hour = 3600_000
const day = 24 * hour
const begin = Date.parse('2026-06-01T00:00:00Z')
const ids = ['in_first', 'in_second', 'in_third']
let testDatabase: TestDatabase
let database: Database
let clock: ReturnType<typeof createTestClock>
let store: SampleStore

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  database = createDatabase({ connectionString: testDatabase.url })
  clock = createTestClock(new Date(begin))
  store = openSamples(database.db, clock)
})
afterEach(async () => {
  await database.close()
  await testDatabase.drop()
})

const tend = () =>
  samplesMaintenance({ db: database.db, clock }).run(
    {},
    { log: silentLog, signal: new AbortController().signal, attempt: 1 },
  )

/** A part each minute of `hours`, with what says where it belongs. */
async function fill(fromHour: number, hours: number): Promise<void> {
  for (let at = fromHour; at < fromHour + hours; at += 1) {
    const parts = Array.from({ length: 60 }, (_, minute) =>
      ids.map((id) => partOf(id, begin + at * hour + minute * 60_000)),
    )
    clock.set(new Date(begin + (at + 1) * hour))
    await store.write({ latest: latestOf(), parts: parts.flat() })
  }
}
const latestOf = (of = ids) => {
  const figures = { at: clock.now(), cpu: 0.5, memoryUsed: 1, memoryTotal: 2, diskUsed: 1, diskTotal: 2 }
  return new Map(of.map((id) => [id, figures]))
}
function partOf(instanceId: string, at: number): SamplePart {
  const minutes = (at - begin) / 60_000
  const figures = { samples: 12, cpu: (minutes % 100) / 100, cpuMax: 1, memoryMax: 9, disk: 1 }
  return { instanceId, at: new Date(at), memory: minutes, netIn: minutes * 600, netOut: 0, ...figures }
}
const series = async (hours: number, stepMs = 15 * 60_000) =>
  await store.series(ids, ['cpu', 'memory', 'netIn'], { from: begin, to: begin + hours * hour, stepMs })
async function countRows(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(
    database.db,
  )
  return rows[0]?.count ?? -1
}

/** A killed worker's transaction is rolled back with its connection, and the next run repeats its work. */
const untilRolledUp = (now: Date) =>
  until('all hours are rolled up', async () => {
    await rollUpHours(database.db, now)
    const open = await database.db.selectFrom('sample_hours').select('hour').where('rolled_at', 'is', null).execute()
    return open.length === 0
  })

test('charts show the same before and after their hours are rolled up, in order of series', async () => {
  await fill(0, 5)
  const before = await series(5)
  expect(before.get('in_first')?.cpu).toHaveLength(20)
  clock.set(new Date(begin + 5 * hour + 10 * 60_000))
  await tend()
  expect(await countRows('five_minute_samples')).toBe(5 * 12 * ids.length)
  expect(await series(5)).toEqual(before)
  // The rows of an hour are stored in order of series, so that a week's chart reads adjacent rows.
  const { rows } = await sql<{ series: number }>`select series from five_minute_samples
    where at < ${new Date(begin + hour)} order by ctid`.execute(database.db)
  expect(rows).toEqual(rows.toSorted((a, b) => a.series - b.series))
})

test('what comes late for an hour that was rolled up is in the charts at once and after the next roll-up', async () => {
  await fill(0, 2)
  clock.set(new Date(begin + 4 * hour))
  await tend()
  await store.write({
    latest: new Map(),
    parts: [{ ...partOf('in_first', begin + 30_000), cpu: 1, memory: 7, netIn: 300, samples: 60 }],
  })
  const expected = await series(2)
  expect(expected.get('in_first')?.cpu[0]?.[1]).toBeGreaterThan(0.2)
  await tend()
  expect(await series(2)).toEqual(expected)
  expect(await countRows('five_minute_samples')).toBe(2 * 12 * ids.length)
})

test('nothing is older than its tier once the job ran, and tables of old partitions are gone', async () => {
  await fill(0, 1)
  await tend()
  for (const days of [1, 2, 5, 9]) {
    await fill(days * 24, 2)
    clock.advance(hour)
    await tend()
    const now = clock.now().getTime()
    for (const tier of [minuteTier, fiveMinuteTier]) {
      const { rows } = await sql<{ at: Date | null }>`select min(at) as at from ${sql.table(tier.table)}`.execute(
        database.db,
      )
      expect(rows[0]?.at?.getTime()).toBeGreaterThanOrEqual(now - tier.keptMs)
      const partitions = await listPartitions(database.db, tier)
      expect(partitions[0]).toBeGreaterThanOrEqual(now - tier.keptMs)
      // The template's, made when the migration ran, lie years apart.
      const near = partitions.filter((start) => start < begin + 30 * day)
      expect(near.length).toBeLessThanOrEqual(tier.keptMs / tier.widthMs + 4)
    }
  }
  expect(await countRows('sample_hours')).toBeLessThan(20)
})

test('an instance that has been silent for as long as samples are kept is forgotten', async () => {
  await fill(0, 1)
  clock.set(new Date(begin + 8 * day))
  await tend()
  expect((await store.latest(ids)).size).toBe(3)
  clock.set(new Date(begin + 8 * day + 2 * hour))
  await tend()
  expect((await store.latest(ids)).size).toBe(0)
  expect(await countRows('sample_series')).toBe(0)
})

test('a missing partition is created by the writer that needs it, and its absence is reported before', async () => {
  await tend()
  expect(await store.health()).toBeUndefined()
  clock.set(new Date(begin + 10 * day))
  // Those of the time when the migration ran lie years ahead.
  expect(await store.health()).toMatch(/minute_samples/)
  await database.pool.query(
    `do $$ declare name text; begin
       for name in select inhrelid::regclass from pg_inherits where inhparent = 'minute_samples'::regclass loop
         execute 'drop table ' || name;
       end loop; end $$`,
  )
  expect(await store.health()).toMatch(/minute_samples/)
  const at = clock.now().getTime()
  await store.write({ latest: latestOf(), parts: [partOf('in_first', at - 60_000), partOf('in_first', at)] })
  expect(await countRows('minute_samples')).toBe(2)
  await tend()
  expect(await store.health()).toBeUndefined()
})

test('no partition of a tier is there: charts have nothing to show and do not fail, and a roll-up makes its own', async () => {
  await fill(0, 2)
  clock.set(new Date(begin + 4 * hour))
  const expected = await series(2)
  const drop = (table: string) =>
    database.pool.query(
      `do $$ declare name text; begin
         for name in select inhrelid::regclass from pg_inherits where inhparent = '${table}'::regclass loop
           execute 'drop table ' || name;
         end loop; end $$`,
    )
  await drop('five_minute_samples')
  expect(await series(2)).toEqual(expected)
  expect(await rollUpHours(database.db, clock.now())).toBe(2)
  await drop('minute_samples')
  expect(await series(2)).toEqual(expected)
  await drop('five_minute_samples')
  const nothing = { cpu: [], memory: [], netIn: [] }
  expect(await series(2)).toEqual(new Map(ids.map((id) => [id, nothing])))
})

test('many who miss the same partition make it once', async () => {
  await Promise.all(
    ids.map((id) => store.write({ latest: latestOf(), parts: [partOf(id, begin), partOf(id, begin + hour)] })),
  )
  expect(await countRows('minute_samples')).toBe(6)
})

test('minutes are kept while their hour could not be rolled up', async () => {
  await fill(0, 1)
  clock.set(new Date(begin + 3 * day))
  await database.pool.query('alter table five_minute_samples add constraint blocked check (samples < 0)')
  await expect(tend()).rejects.toThrow(/blocked/)
  expect(await countRows('minute_samples')).toBe(180)
  expect(await store.health()).toMatch(/2026-06-01T00:00:00/)
  await database.pool.query('alter table five_minute_samples drop constraint blocked')
  await tend()
  expect([await countRows('minute_samples'), await countRows('five_minute_samples')]).toEqual([0, 36])
})

test('of two workers that roll up the same hours one is killed within: each hour is there once, and whole', async () => {
  await fill(0, 3)
  const now = new Date(begin + 5 * hour)
  clock.set(now)
  const expected = await series(3)
  // Every row waits for the lock that the test holds.
  await database.pool.query(`
    create function wait_for_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(42); return new; end $$;
    create trigger wait_for_test before insert on five_minute_samples for each row execute function wait_for_test()`)
  const holder = await database.pool.connect()
  try {
    await holder.query('select pg_advisory_lock(42)')
    const crashing = spawn(
      process.execPath,
      [join(import.meta.dirname, 'crashing-roll-up.fixture.ts'), testDatabase.url, now.toISOString()],
      { stdio: 'inherit' },
    )
    onTestFinished(() => void crashing.kill('SIGKILL'))
    const waiting = async () => {
      const { rows } = await holder.query(
        `select pid from pg_locks where locktype = 'advisory' and objid = 42 and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      )
      return rows.length
    }
    await until('the first worker is within an hour', async () => (await waiting()) === 1)
    const other = rollUpHours(database.db, now)
    await until('the second is within the next', async () => (await waiting()) === 2)
    const ended = once(crashing, 'exit')
    crashing.kill('SIGKILL')
    await ended
    await holder.query('select pg_advisory_unlock(42)')
    await other
  } finally {
    holder.release()
  }
  await untilRolledUp(now)
  expect(await countRows('five_minute_samples')).toBe(3 * 12 * ids.length)
  expect(await series(3)).toEqual(expected)
})

test('a worker that dies before any statement of a roll-up: charts stay as they are, and the next one ends it', async () => {
  await fill(0, 2)
  const now = new Date(begin + 4 * hour)
  clock.set(now)
  const expected = await series(2)
  const deaths = await dieAtEach(testDatabase.url, async ({ db, isDead }) => {
    await database.pool.query('update sample_hours set rolled_at = null; delete from five_minute_samples')
    await rollUpHours(db, now).catch((error: unknown) => {
      if (!isDead()) throw error
    })
    expect(await series(2)).toEqual(expected)
    await untilRolledUp(now)
    expect(await series(2)).toEqual(expected)
    expect(await countRows('five_minute_samples')).toBe(2 * 12 * ids.length)
  })
  expect(deaths).toBeGreaterThanOrEqual(10)
})

test('rows are as large as the operator’s page says, within a fifth', async () => {
  // Fewer would measure the pages that an index begins with.
  const many = Array.from({ length: 1000 }, (_, one) => `in_many${one}`)
  for (let minute = 0; minute < 60; minute += 1) {
    clock.set(new Date(begin + (minute + 1) * 60_000))
    const parts = many.map((id) => partOf(id, begin + minute * 60_000))
    await store.write({ latest: minute === 0 ? latestOf(many) : new Map(), parts })
  }
  clock.set(new Date(begin + 2 * hour))
  await tend()
  // 15.6 million minutes in 2 GB, 23 million five minutes in 2.8 GB.
  for (const [table, expected] of [
    ['minute_samples', 2e9 / 15.6e6],
    ['five_minute_samples', 2.8e9 / 23e6],
  ] as const) {
    const { rows } = await sql<{ bytes: number }>`select sum(pg_total_relation_size(inhrelid))::float8 as bytes
      from pg_inherits where inhparent = ${table}::regclass and pg_relation_size(inhrelid) > 0`.execute(database.db)
    const found = (rows[0]?.bytes ?? 0) / (await countRows(table))
    expect(found).toBeGreaterThan(expected * 0.8)
    expect(found).toBeLessThan(expected * 1.2)
  }
})

test('the newest samples take no more pages however often they are replaced', async () => {
  const many = Array.from({ length: 400 }, (_, one) => `in_many${one}`)
  const pages = async () => {
    const { rows } = await sql<{ pages: number }>`
      select (pg_relation_size('latest_samples') + pg_relation_size('latest_samples_pkey')) / 8192 as pages`.execute(
      database.db,
    )
    return Number(rows[0]?.pages)
  }
  await store.write({ latest: latestOf(many), parts: [] })
  const before = await pages()
  for (let round = 0; round < 480; round += 1) {
    clock.set(new Date(begin + (round + 1) * 15_000))
    await store.write({ latest: latestOf(many.filter((_, one) => one % 2 === round % 2)), parts: [] })
    // Autovacuum comes once a minute.
    if (round % 4 === 3) await database.pool.query('vacuum latest_samples')
  }
  // 96 000 replaced rows would fill a thousand pages. How few there are depends on when vacuum may clean: a
  // snapshot that is open at that moment keeps what came after it.
  expect(await pages()).toBeLessThanOrEqual(before * 8)
})
