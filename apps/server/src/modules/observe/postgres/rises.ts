/** The rise of counters in minute samples: the only place that defines the effect of gaps and falls. */
import { type RawBuilder, sql } from 'kysely'
import { longestGapSeconds, mostBytesPerSecond } from '../samples/sample-store.ts'

export interface MinuteSpan {
  /** null: all. */
  series: readonly number[] | null
  from: Date
  to: Date
}

/**
 * Minutes from `from` to before `to` as rows `(series, at, samples, cpu, cpu_max, memory, memory_max, disk, bytes_in,
 * bytes_out, seconds)`; `seconds` is 0 where what was before is not known or too long ago.
 */
export function minutesWithRises({ series, from, to }: MinuteSpan): RawBuilder<unknown> {
  const before = new Date(from.getTime() - longestGapSeconds * 1000)
  const rise = (counter: 'net_in' | 'net_out', risen: 'rise_in' | 'rise_out') => sql`
    case when gap <= ${longestGapSeconds}::float8 then
      least(case when ${sql.id(risen)} < 0 then ${sql.id(counter)} else ${sql.id(risen)} end, gap * ${mostBytesPerSecond}::float8)
    else 0 end`
  return sql`
    select series, at, samples, cpu::float8 as cpu, cpu_max, memory, memory_max, disk,
      ${rise('net_in', 'rise_in')} as bytes_in, ${rise('net_out', 'rise_out')} as bytes_out,
      case when gap <= ${longestGapSeconds}::float8 then gap else 0 end as seconds
    from (
      select m.*, extract(epoch from at - lag(at) over by_time)::float8 as gap,
        net_in - lag(net_in) over by_time as rise_in, net_out - lag(net_out) over by_time as rise_out
      from minute_samples as m
      where at >= ${before} and at < ${to} ${series === null ? sql`` : sql`and series = any(${[...series]}::int[])`}
      window by_time as (partition by series order by at)
    ) as risen
    where at >= ${from}`
}
