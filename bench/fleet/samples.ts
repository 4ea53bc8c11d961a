/** The cost of samples: writing them, reading a week of a cluster, a minute of all agents, and a minute of alerts. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgresServer } from '@atoll/testkit'
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { alertsEvaluate } from '../../apps/server/src/modules/observe/alerts/alerts-evaluate.ts'
import { metrics } from '../../apps/server/src/modules/observe/index.ts'
import { fiveMinuteTier, makePartitions } from '../../apps/server/src/modules/observe/postgres/partitions.ts'
import { openSamples } from '../../apps/server/src/modules/observe/postgres/postgres-samples.ts'
import type { SampleGrid, SamplePart } from '../../apps/server/src/modules/observe/samples/sample-store.ts'
import { createSampleWriter } from '../../apps/server/src/modules/observe/samples/sample-writer.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createDatabase, type Database, type Db, migrate } from '../../apps/server/src/platform/db/index.ts'
import { silentLog } from '../../apps/server/src/platform/log.ts'
import { median, type Ratio } from '../figures.ts'

const few = 100
const agents = 10_000
const dayMs = 24 * 3600_000
const stepMs = 40 * 60_000
const idOf = (number: number) => `in_bench${String(number).padStart(8, '0')}`

/**
 * ATOLL_BENCH_CLUSTERS (1 000 if not set) have a week of five minutes each, 2 016 rows a cluster: 10 000 of them are
 * 2.7 GB and take minutes to write.
 */
export async function measureSamples(): Promise<Ratio[]> {
  const clusters = Number(process.env['ATOLL_BENCH_CLUSTERS'] ?? 1000)
  const server = await startPostgresServer()
  const { db, pool, close } = createDatabase({ connectionString: server.url('postgres') })
  try {
    await migrate(pool)
    return [
      ...(await measureMinute(db)),
      await measureWriting(db),
      await measureAlerts(db),
      ...(await measureWeek(server, clusters)),
    ]
  } finally {
    await close()
    await server.stop()
  }
}

/** One minute of 10 000 agents, a sample each 5 s, through the writer. Of this process alone, not of PostgreSQL. */
async function measureMinute(db: Db): Promise<Ratio[]> {
  let now = Date.now()
  const clock = { now: () => new Date(now) }
  const writer = createSampleWriter({
    store: openSamples(db, clock),
    clock,
    log: silentLog,
    onMeasured: async () => undefined,
  })
  const receive = (round: number) => {
    for (let agent = 0; agent < agents; agent += 1) writer.add(idOf(agent), sampleOf(agent, round))
  }
  // The series are there, as they are in any minute but the first.
  receive(0)
  await writer.write(true)
  now = Math.ceil(now / 60_000) * 60_000
  const began = process.cpuUsage()
  const wall = performance.now()
  for (let round = 1; round <= 12; round += 1) {
    receive(round)
    await writer.write()
    now += 5000
  }
  await writer.write()
  const { user, system } = process.cpuUsage(began)
  const seconds = (user + system) / 1e6
  const elapsed = (performance.now() - wall) / 1000
  await writer.stop()
  return [
    {
      name: `seconds of processor for a minute of ${agents} agents in the process that receives them`,
      value: seconds,
      target: { atMost: 10 },
      from: `${seconds.toFixed(1)} s of processor; ${elapsed.toFixed(1)} s passed with what PostgreSQL did`,
    },
  ]
}

const sampleOf = (agent: number, round: number) => ({
  at: 0,
  cpu: (agent % 100) / 100,
  memoryUsed: 2e9 + agent,
  memoryTotal: 8e9,
  diskUsed: 5e9 + agent,
  diskTotal: 4e10,
  netIn: round * 1e6 + agent,
  netOut: round * 2e6 + agent,
})

/** Parts of minutes written ÷ `COPY` of the same rows into a table of the same shape, rounds in turn. */
async function measureWriting(db: Db): Promise<Ratio> {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'))
  // PostgreSQL reads it as another user.
  chmodSync(folder, 0o755)
  const store = openSamples(db, systemClock)
  await sql`create table raw_samples (like minute_samples including all)`.execute(db)
  const series = new Map(
    (await db.selectFrom('sample_series').select(['series', 'instance_id']).execute()).map((row) => [
      row.instance_id,
      row.series,
    ]),
  )
  const ours: number[] = []
  const raw: number[] = []
  try {
    for (let round = 0; round < 9; round += 1) {
      const at = new Date(Math.floor(Date.now() / 60_000) * 60_000 - (round + 2) * 61_000)
      const parts = Array.from({ length: 5000 }, (_, agent): SamplePart => {
        const { cpu, memoryUsed: memory, diskUsed: disk, netIn, netOut } = sampleOf(agent, round)
        const means = { cpu, cpuMax: cpu, memory, memoryMax: memory, disk, netIn, netOut }
        return { instanceId: idOf(agent), at, samples: 12, ...means }
      })
      const file = join(folder, 'rows.csv')
      const lines = parts.map((one) =>
        [
          ...[one.at.toISOString(), one.memory, one.memoryMax, one.disk, one.netIn, one.netOut],
          ...[series.get(one.instanceId), one.cpu, one.cpuMax, one.samples],
        ].join(','),
      )
      writeFileSync(file, lines.join('\n'), { mode: 0o644 })
      let began = performance.now()
      await sql`copy raw_samples (at, memory, memory_max, disk, net_in, net_out, series, cpu, cpu_max, samples)
        from ${sql.lit(file)} (format csv)`.execute(db)
      raw.push(performance.now() - began)
      began = performance.now()
      await store.write({ latest: new Map(), parts })
      ours.push(performance.now() - began)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await sql`drop table raw_samples`.execute(db)
  }
  const [us, reference] = [5000 / (median(ours) / 1000), 5000 / (median(raw) / 1000)]
  return {
    name: 'parts of minutes written a second ÷ COPY of the same rows',
    value: us / reference,
    target: { atLeast: 0.25 },
    from: `${us.toFixed(0)} against ${reference.toFixed(0)} rows/s, medians of 9 batches of 5 000`,
  }
}

/** The job that evaluates every rule for all; one in twenty is at its threshold. */
async function measureAlerts(db: Db): Promise<Ratio> {
  await sql`update latest_samples set at = now(), disk_used = case when series % 20 = 0 then disk_total else disk_used end`.execute(
    db,
  )
  const owner = { name: 'master', clusterId: 'cl_bench', clusterName: 'Bench', owner: 'did:key:bench' }
  const failing = Array.from({ length: agents / 20 }, (_, one) => ({
    instanceId: idOf(one),
    value: 3,
    subject: 'Photos',
  }))
  const list = async () => failing
  const job = alertsEvaluate({
    db,
    clock: systemClock,
    mail: { post: async () => 'ml_bench' },
    sources: {
      workload: { needsSample: true, list },
      backup: { needsSample: false, list },
      proof: { needsSample: false, list },
    },
    isChannelServed: async () => true,
    listWatched: async (_, ids) => ids.map((instanceId) => ({ instanceId, ...owner })),
  })
  const run = async () => {
    const began = performance.now()
    await job.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
    return (performance.now() - began) / 1000
  }
  const seconds = [await run(), await run(), await run()]
  return {
    name: `seconds that a minute of alerts takes at ${agents} instances`,
    value: median(seconds),
    target: { atMost: 2 },
    from: `${seconds.map((one) => one.toFixed(2)).join(', ')} s, ${agents / 20} of them at their threshold`,
  }
}

/** In two databases, asked in turn: what else the machine does concerns both alike. */
async function measureWeek(server: PostgresServer, clusters: number): Promise<Ratio[]> {
  const to = Math.floor(Date.now() / stepMs) * stepMs
  const from = to - 7 * dayMs
  const open = async (name: string, count: number) => {
    const own = createDatabase({ connectionString: server.url(name) })
    await migrate(own.pool)
    await fill(own.db, { from, to, first: 0, last: count })
    return own
  }
  const main = createDatabase({ connectionString: server.url('postgres') })
  for (const name of ['few', 'many']) await sql.raw(`create database ${name}`).execute(main.db)
  await main.close()
  const [atFew, atMany] = [await open('few', few), await open('many', clusters)]
  const read = async (db: Db, count: number, round: number) => {
    const id = idOf((round * 7919) % count)
    const began = performance.now()
    const found = await openSamples(db, systemClock).series([id], metrics, { from, to, stepMs })
    const took = performance.now() - began
    const points = found.get(id)?.cpu.length ?? 0
    if (points < 240) throw new Error(`a week of ${id} has ${points} points`)
    return took
  }
  const times: { few: number; many: number }[] = []
  for (let round = 0; round < 202; round += 1)
    times.push({ few: await read(atFew.db, few, round), many: await read(atMany.db, clusters, round) })
  const [fewMs, manyMs] = [median(times.map((one) => one.few)), median(times.map((one) => one.many))]
  const pages = await pagesOf(atMany, idOf(Math.floor(clusters / 2)), { from, to, stepMs })
  const size = await sql<{ bytes: number }>`
    select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits
    where inhparent = 'five_minute_samples'::regclass`.execute(atMany.db)
  const { bytes = 0 } = size.rows[0] ?? {}
  await Promise.all([atFew.close(), atMany.close()])
  return [
    {
      name: `p50 of a week of one cluster among ${clusters} ÷ among ${few}`,
      value: manyMs / fewMs,
      target: { atMost: 1.5 },
      from: `${manyMs.toFixed(1)} ms against ${fewMs.toFixed(1)} ms, medians of ${times.length}`,
    },
    {
      name: `pages that a week of one cluster reads among ${clusters}`,
      value: pages,
      target: { atMost: 300 },
      from: `rows written by the hour in order of instance; ${(bytes / 1e6).toFixed(0)} MB in all`,
    },
  ]
}

/** As the roll-up writes them: each hour in order of series. */
async function fill(db: Db, span: { from: number; to: number; first: number; last: number }): Promise<void> {
  const { from, to, first, last } = span
  await sql`insert into sample_series (instance_id) select 'in_bench' || lpad(n::text, 8, '0')
    from generate_series(${first}::int, ${last - 1}::int) n on conflict do nothing`.execute(db)
  const days = Array.from({ length: 9 }, (_, day) => from + day * dayMs)
  await makePartitions(db, fiveMinuteTier, days)
  for (let hour = Math.floor(from / 3600_000) * 3600_000; hour < to; hour += 3600_000) {
    await sql`
      insert into five_minute_samples (series, at, samples, cpu, cpu_max, memory, memory_max, disk, bytes_in, bytes_out, seconds)
      select series, ${new Date(hour)}::timestamptz + step * interval '5 minutes', 60, 0.5, 0.9, 2e9, 3e9, 5e9, 1e6, 2e6, 300
      from sample_series, generate_series(0, 11) step
      where instance_id >= ${idOf(first)} and instance_id < ${idOf(last)}
      order by series, step`.execute(db)
  }
  // As autovacuum leaves them: the first read of a row after its write costs more than reading.
  await sql`vacuum (analyze) five_minute_samples`.execute(db)
}

/** All that the store reads for the week of one instance: each of its queries is run once more, and explained. */
async function pagesOf({ pool }: Database, id: string, grid: SampleGrid): Promise<number> {
  const asked: CompiledQuery[] = []
  const noting: Db = new Kysely({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void asked.push(query),
  })
  await openSamples(noting, systemClock).series([id], metrics, grid)
  let pages = 0
  for (const { sql: text, parameters } of asked) {
    const { rows } = await pool.query(`explain (analyze, buffers, format json) ${text}`, [...parameters])
    const { Plan } = rows[0]['QUERY PLAN'][0]
    pages += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
  }
  if (pages === 0) throw new Error('no query read a page')
  return pages
}
