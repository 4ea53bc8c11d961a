import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { AgentMetricsRow } from '../agents-tables.ts'
import '../agents-tables.ts'

/** `[ms, value]` by rising time; a time without measurements has no point. */
export type Series = [number, number][]

export interface MetricsSeries {
  /** 0..1 of the instance's cores. */
  cpu: Series
  /** Bytes. */
  memory: Series
  /** Bytes. */
  disk: Series
  /** Bytes per second. */
  netIn: Series
  netOut: Series
  /** When the newest measurement of all arrived. */
  lastUpdatedAt: Date | null
}

/** The newest measurement. Memory and disk in bytes. */
export interface LatestMetrics {
  at: Date
  cpu: number
  memoryUsed: number
  memoryTotal: number
  diskUsed: number
  diskTotal: number
}

/** Two measurements further apart than this have a gap between them: no traffic is told for it. s */
const longestStepSeconds = 30

/** Inserts measurements; one that is there already is left as it is. */
export async function insertMetrics(db: Db, rows: AgentMetricsRow[]): Promise<void> {
  await db
    .insertInto('agent_metrics')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The newest measurement of each of `instanceIds` by id; one without any is left out. */
export async function latestMetrics(db: Db, instanceIds: readonly string[]): Promise<Map<string, LatestMetrics>> {
  const { rows } = await sql<LatestMetrics & { instanceId: string }>`
    select m.instance_id as "instanceId", m.at, m.cpu, m.memory_used as "memoryUsed", m.memory_total as "memoryTotal",
      m.disk_used as "diskUsed", m.disk_total as "diskTotal"
    from unnest(${[...instanceIds]}::text[]) as asked (id)
    cross join lateral (
      select * from agent_metrics where instance_id = asked.id order by at desc limit 1
    ) as m`.execute(db)
  return new Map(rows.map(({ instanceId, ...latest }) => [instanceId, latest]))
}

/** `[at in ms, cpu, memoryUsed, memoryTotal, diskUsed, diskTotal]` as JSON. */
export type LatestMetricsTuple = [number, number, number, number, number, number]

/** The newest measurement of the instance in a column, for another module's query: one round trip instead of two. */
export function latestMetricsOf(instanceId: Expression<string>): RawBuilder<LatestMetricsTuple | null> {
  return sql<LatestMetricsTuple | null>`(
    select json_build_array(floor(extract(epoch from at) * 1000), cpu, memory_used, memory_total, disk_used, disk_total)
    from agent_metrics where agent_metrics.instance_id = ${instanceId} order by at desc limit 1)`
}

/**
 * Measurements of `instanceId` from `from` to `to`, as means over equal spans of time, at most `points` of them: the
 * database reads the raw rows, a chart gets what it can draw. Traffic is the rise of the agent's counters; a counter
 * that fell began anew with its agent.
 */
export async function listMetrics(
  db: Db,
  instanceId: string,
  { from, to, points = 300 }: { from: Date; to: Date; points?: number },
): Promise<MetricsSeries> {
  // One span less than points: the range may begin in the middle of one.
  const widthMs = Math.max(1000, Math.ceil((to.getTime() - from.getTime()) / (points - 1)))
  const { rows } = await sql<{
    t: number
    cpu: number
    memory: number
    disk: number
    net_in: number | null
    net_out: number | null
    newest: Date
  }>`
    with steps as (
      select at, cpu, memory_used, disk_used,
        extract(epoch from at - lag(at) over by_time)::float8 as seconds,
        net_in - lag(net_in) over by_time as rise_in, net_in,
        net_out - lag(net_out) over by_time as rise_out, net_out
      from agent_metrics
      where instance_id = ${instanceId} and at >= ${from} and at < ${to}
      window by_time as (order by at)
    ), rates as (
      select *, case when seconds <= ${longestStepSeconds} then seconds end as span from steps
    )
    select (floor(extract(epoch from at) * 1000 / ${widthMs}::float8) * ${widthMs}::float8)::float8 as t,
      avg(cpu)::float8 as cpu, avg(memory_used)::float8 as memory, avg(disk_used)::float8 as disk,
      (sum(case when rise_in < 0 then net_in else rise_in end) filter (where span is not null) / nullif(sum(span), 0))::float8 as net_in,
      (sum(case when rise_out < 0 then net_out else rise_out end) filter (where span is not null) / nullif(sum(span), 0))::float8 as net_out,
      max(at) as newest
    from rates group by 1 order by 1`.execute(db)
  const series = (pick: (row: (typeof rows)[number]) => number | null): Series =>
    rows.flatMap((row): Series => {
      const value = pick(row)
      return value === null ? [] : [[row.t, value]]
    })
  return {
    cpu: series((row) => row.cpu),
    memory: series((row) => Math.round(row.memory)),
    disk: series((row) => Math.round(row.disk)),
    netIn: series((row) => row.net_in && Math.round(row.net_in)),
    netOut: series((row) => row.net_out && Math.round(row.net_out)),
    lastUpdatedAt: rows.at(-1)?.newest ?? null,
  }
}

/** Removes at most `limit` measurements from before `at`; the number removed. */
export async function deleteMetricsBefore(db: Db, at: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from agent_metrics where ctid = any(array(select ctid from agent_metrics where at < ${at} limit ${limit}))
  `.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
