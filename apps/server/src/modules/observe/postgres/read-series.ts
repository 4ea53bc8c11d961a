/** Means of a grid, from the tier that holds them: one read of each, by the key `(series, at)`. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { Metric, SampleGrid, Series } from '../samples/sample-store.ts'
import { minutesWithRises } from './rises.ts'

const fiveMinutesMs = 300_000

interface StepRow extends Record<Metric, number | null> {
  series: number
  t: Date
}

export async function readSeries<M extends Metric>(
  db: Db,
  ids: readonly string[],
  wanted: readonly M[],
  { from, to, stepMs }: SampleGrid,
): Promise<Map<string, Record<M, Series>>> {
  const { rows: named } = await sql<{ series: number; instance_id: string; open_from: Date | null }>`
    select series, instance_id, (select min(hour) from sample_hours where rolled_at is null) as open_from
    from sample_series where instance_id = any(${[...ids]}::text[])`.execute(db)
  const series = named.map((row) => row.series)
  // Rolled-up hours are read from the rolled-up rows, if each step consists of whole rows; all others from minutes.
  const open = named[0]?.open_from?.getTime() ?? to
  const cut = stepMs % fiveMinutesMs === 0 ? Math.min(Math.max(from, open), to) : from
  const [begin, middle, end] = [new Date(from), new Date(cut), new Date(to)]
  const rows = series.length === 0 ? [] : await readSteps(db, series, { begin, middle, end }, stepMs)
  const bySeries = new Map(named.map((row) => [row.series, row.instance_id]))
  const found = new Map(ids.map((id) => [id, emptySeries(wanted)]))
  for (const row of rows) {
    const mine = found.get(bySeries.get(row.series) ?? '')
    for (const metric of wanted) {
      const value = row[metric]
      if (value !== null) mine?.[metric].push([row.t.getTime(), value])
    }
  }
  return found
}

function emptySeries<M extends Metric>(wanted: readonly M[]): Record<M, Series> {
  // The keys are those of `wanted`, which are all that M has.
  return Object.fromEntries(wanted.map((metric): [M, Series] => [metric, []])) as Record<M, Series>
}

async function readSteps(
  db: Db,
  series: readonly number[],
  { begin, middle, end }: { begin: Date; middle: Date; end: Date },
  stepMs: number,
): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`
    with rows as (
      select series, at, samples, cpu::float8 as cpu, memory, disk, bytes_in::float8 as bytes_in,
        bytes_out::float8 as bytes_out, seconds::float8 as seconds
      from five_minute_samples where series = any(${[...series]}::int[]) and at >= ${begin} and at < ${middle}
      union all
      select series, at, samples, cpu, memory, disk, bytes_in, bytes_out, seconds
      from (${minutesWithRises({ series, from: middle, to: end })}) as minutes
    )
    select series, date_bin(${stepMs} * interval '1 millisecond', at, 'epoch') as t,
      round((sum(cpu * samples) / sum(samples))::numeric, 6)::float8 as cpu,
      round(sum(memory::numeric * samples) / sum(samples))::float8 as memory,
      round(sum(disk::numeric * samples) / sum(samples))::float8 as disk,
      round(sum(bytes_in) / nullif(sum(seconds), 0)) as "netIn",
      round(sum(bytes_out) / nullif(sum(seconds), 0)) as "netOut"
    from rows group by 1, 2 order by 1, 2`.execute(db)
  return rows
}
