/**
 * The driver of `SampleStore` for PostgreSQL. Plain tables are enough for 10 000 instances (design/usage, "Samples").
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { LatestSample, SampleBatch, SampleCounters, SamplePart, SampleStore } from '../samples/sample-store.ts'
import { fiveMinuteTier, hourMs, listPartitions, makePartitions, minuteTier, startOf } from './partitions.ts'
import { readSeries } from './read-series.ts'
import '../observe-tables.ts'

/** A part that is older is left out: its hour may be dropped while it is written. ms */
const latestPartMs = minuteTier.keptMs - hourMs
/** A sample from further ahead than this was recorded before the clock was set back. ms */
const mostAheadMs = 60_000
/** An hour that is not rolled up so long after it began is a sign that no worker runs. ms */
const longestOpenMs = 4 * hourMs

/** `db` may be a transaction, then with what it does; only `write` begins its own. */
export function openSamples(db: Db, clock: Clock): SampleStore {
  return {
    async write({ latest, parts }) {
      const now = clock.now().getTime()
      if (latest.size > 0) await writeLatest(db, latest, new Date(now + mostAheadMs))
      const kept = parts.filter(({ at }) => at.getTime() >= now - latestPartMs)
      if (kept.length > 0) await writeParts(db, kept)
    },
    async latest(ids) {
      const { rows } = await sql<LatestSample & { id: string }>`
        select s.instance_id as id, l.at, l.cpu, l.memory_used as "memoryUsed", l.memory_total as "memoryTotal",
          l.disk_used as "diskUsed", l.disk_total as "diskTotal"
        from sample_series as s join latest_samples as l using (series)
        where s.instance_id = any(${[...ids]}::text[])`.execute(db)
      return new Map(rows.map(({ id, ...latest }) => [id, latest]))
    },
    series: (ids, metrics, grid) => readSeries(db, ids, metrics, grid),
    async counters(since, until) {
      const { rows } = await sql<SampleCounters & { id: string }>`
        select asked.id, m.at, m.net_in as "netIn", m.net_out as "netOut"
        from unnest(${[...since.keys()]}::text[], ${[...since.values()]}::timestamptz[]) as asked (id, since)
        join sample_series as s on s.instance_id = asked.id
        join minute_samples as m on m.series = s.series and m.at > asked.since and m.at < ${until}
        order by asked.id, m.at`.execute(db)
      const found = new Map<string, SampleCounters[]>()
      for (const { id, ...counters } of rows) {
        const mine = found.get(id)
        if (mine) mine.push(counters)
        else found.set(id, [counters])
      }
      return found
    },
    async removeAfter(ids, time) {
      for (const { table } of [minuteTier, fiveMinuteTier])
        await sql`delete from ${sql.id(table)} as t using sample_series as s
          where s.instance_id = any(${[...ids]}::text[]) and t.series = s.series and t.at > ${time}`.execute(db)
    },
    async forget(ids) {
      await sql`delete from sample_series where instance_id = any(${[...ids]}::text[])`.execute(db)
    },
    async health() {
      const now = clock.now().getTime()
      for (const tier of [minuteTier, fiveMinuteTier]) {
        const starts = await listPartitions(db, tier)
        if (!starts.includes(startOf(tier, now + hourMs / 2)))
          return `no partition of ${tier.table} is ready for the next half hour`
      }
      const { rows } = await sql<{ hour: Date | null }>`
        select min(hour) as hour from sample_hours where rolled_at is null`.execute(db)
      const open = rows[0]?.hour
      if (open && open.getTime() < now - longestOpenMs) return `samples since ${open.toISOString()} are not rolled up`
      return undefined
    },
  }
}

/** The newest samples; the series of who has none yet begins here. Everybody locks rows in the same order. */
async function writeLatest(db: Db, latest: SampleBatch['latest'], future: Date): Promise<void> {
  const ids = [...latest.keys()]
  await sql`
    insert into sample_series (instance_id)
    select id from unnest(${ids}::text[]) as id
    where not exists (select from sample_series where instance_id = id) order by id
    on conflict do nothing`.execute(db)
  const of = (pick: (sample: LatestSample) => number | Date) => [...latest.values()].map(pick)
  await sql`
    insert into latest_samples as held (series, at, cpu, memory_used, memory_total, disk_used, disk_total)
    select s.series, r.at, r.cpu, r.memory_used, r.memory_total, r.disk_used, r.disk_total
    from unnest(${ids}::text[], ${of(({ at }) => at)}::timestamptz[], ${of(({ cpu }) => cpu)}::real[],
      ${of(({ memoryUsed }) => memoryUsed)}::bigint[], ${of(({ memoryTotal }) => memoryTotal)}::bigint[],
      ${of(({ diskUsed }) => diskUsed)}::bigint[], ${of(({ diskTotal }) => diskTotal)}::bigint[])
      as r (instance_id, at, cpu, memory_used, memory_total, disk_used, disk_total)
    join sample_series as s using (instance_id) order by s.series
    on conflict (series) do update set at = excluded.at, cpu = excluded.cpu, memory_used = excluded.memory_used,
      memory_total = excluded.memory_total, disk_used = excluded.disk_used, disk_total = excluded.disk_total
    where excluded.at > held.at or held.at > ${future}`.execute(db)
}

/** PostgreSQL, "no partition of relation found for row". */
const checkViolation = '23514'

async function writeParts(db: Db, parts: readonly SamplePart[]): Promise<void> {
  try {
    await insertParts(db, parts)
  } catch (error) {
    if ((error as { code?: unknown }).code !== checkViolation) throw error
    // Made ahead as a rule: no worker ran for hours, somebody dropped one, or the clock was set.
    const times = parts.map(({ at }) => at.getTime())
    await makePartitions(db, minuteTier, times)
    await insertParts(db, parts)
  }
}

async function insertParts(db: Db, parts: readonly SamplePart[]): Promise<void> {
  const of = (pick: (part: SamplePart) => string | number | Date) => parts.map(pick)
  const hours = [...new Set(parts.map(({ at }) => Math.floor(at.getTime() / hourMs) * hourMs))]
  await db.transaction().execute(async (trx) => {
    // First, and kept to the end: a roll-up under way is waited for, and the hour is rolled up again.
    await sql`
      insert into sample_hours as held (hour)
      select hour from unnest(${hours.map((hour) => new Date(hour))}::timestamptz[]) as hour order by hour
      on conflict (hour) do update set rolled_at = null where held.rolled_at is not null`.execute(trx)
    await sql`
      insert into minute_samples (series, at, samples, cpu, cpu_max, memory, memory_max, disk, net_in, net_out)
      select s.series, r.at, r.samples, r.cpu, r.cpu_max, r.memory, r.memory_max, r.disk, r.net_in, r.net_out
      from unnest(${of(({ instanceId }) => instanceId)}::text[], ${of(({ at }) => at)}::timestamptz[],
        ${of(({ samples }) => samples)}::smallint[], ${of(({ cpu }) => cpu)}::real[],
        ${of(({ cpuMax }) => cpuMax)}::real[], ${of(({ memory }) => memory)}::bigint[],
        ${of(({ memoryMax }) => memoryMax)}::bigint[], ${of(({ disk }) => disk)}::bigint[],
        ${of(({ netIn }) => netIn)}::bigint[], ${of(({ netOut }) => netOut)}::bigint[])
        as r (instance_id, at, samples, cpu, cpu_max, memory, memory_max, disk, net_in, net_out)
      join sample_series as s using (instance_id) order by s.series, r.at
      on conflict do nothing`.execute(trx)
  })
}

/** `[at in ms, cpu, memoryUsed, memoryTotal, diskUsed, diskTotal]` as JSON. */
export type LatestTuple = [number, number, number, number, number, number]

/**
 * The newest sample of the instance in a column, for another module's query: one round trip instead of two. The newest
 * stay in PostgreSQL whatever holds the rest.
 */
export function latestSampleOf(instanceId: Expression<string>): RawBuilder<LatestTuple | null> {
  return sql<LatestTuple | null>`(
    select json_build_array(floor(extract(epoch from at) * 1000), cpu, memory_used, memory_total, disk_used, disk_total)
    from sample_series join latest_samples using (series) where sample_series.instance_id = ${instanceId})`
}
