/**
 * Bytes that do not pass our edge (an operator's frps, a Cloudflare tunnel), as the agents' own counters report them. A
 * mark stores the last sample up to which an instance's bytes were taken. Bytes are taken and the mark is moved in one
 * transaction, so nothing is counted twice, and nothing is lost while minutes are kept. A counter that fell restarted
 * with its agent. The figures are the host's own: its owner can falsify the amount that the owner pays for.
 */
import { sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { minuteTier } from '../postgres/partitions.ts'
import { openSamples } from '../postgres/postgres-samples.ts'
import { mostBytesPerSecond, type SampleCounters, type SampleStore } from '../samples/sample-store.ts'
import '../observe-tables.ts'

/** Parts of a minute that several processes received may become visible out of order. ms */
const settleMs = 90_000
/**
 * A sample from further ahead than this was recorded before the clock was set back. Clocks of hosts differ by less. ms
 */
const mostAheadMs = 5 * 60_000

export interface TakenTraffic {
  instanceId: string
  in: number
  out: number
}

/** The rise of counters from `mark` over `later`, by time; no link is faster than `mostBytesPerSecond`. */
export function sumRises(mark: SampleCounters, later: readonly SampleCounters[]): { in: number; out: number } {
  const sum = { in: 0, out: 0 }
  let before = mark
  for (const now of later) {
    const seconds = Math.min(now.at.getTime() - before.at.getTime(), minuteTier.keptMs) / 1000
    const rise = (from: number, to: number) =>
      Math.min(to < from ? to : to - from, Math.ceil(seconds * mostBytesPerSecond))
    sum.in += rise(before.netIn, now.netIn)
    sum.out += rise(before.netOut, now.netOut)
    before = now
  }
  return sum
}

/** The bytes of `instanceIds` since they were last taken; instances without any are left out. */
export async function takeTraffic(clock: Clock, trx: Trx, instanceIds: readonly string[]): Promise<TakenTraffic[]> {
  const ids = [...instanceIds].sort()
  if (ids.length === 0) return []
  await sql`insert into agent_traffic_marks (instance_id, at, net_in, net_out)
    select id, 'epoch', 0, 0 from unnest(${ids}::text[]) as id on conflict do nothing`.execute(trx)
  // In one order, so that two who take at once wait for each other instead of failing.
  const { rows: marks } = await sql<SampleCounters & { id: string }>`
    select instance_id as id, at, net_in as "netIn", net_out as "netOut" from agent_traffic_marks
    where instance_id = any(${ids}::text[]) order by instance_id for update`.execute(trx)
  const samples = openSamples(trx, clock)
  await setBack(trx, samples, marks, clock.now())
  const since = new Map(marks.map(({ id, at }) => [id, at]))
  const found = await samples.counters(since, new Date(clock.now().getTime() - settleMs))
  const taken = marks.flatMap((mark) => {
    const later = found.get(mark.id) ?? []
    const last = later.at(-1)
    return last ? [{ instanceId: mark.id, last, ...sumRises(mark, later) }] : []
  })
  await sql`
    update agent_traffic_marks as k set at = t.at, net_in = t.net_in, net_out = t.net_out
    from unnest(${taken.map(({ instanceId }) => instanceId)}::text[], ${taken.map(({ last }) => last.at)}::timestamptz[],
      ${taken.map(({ last }) => last.netIn)}::bigint[], ${taken.map(({ last }) => last.netOut)}::bigint[])
      as t (instance_id, at, net_in, net_out)
    where k.instance_id = t.instance_id`.execute(trx)
  return taken
    .filter((moved) => moved.in > 0 || moved.out > 0)
    .map(({ instanceId, in: bytesIn, out: bytesOut }) => ({ instanceId, in: bytesIn, out: bytesOut }))
}

/**
 * Marks in the future would stop the counting until that time. Bytes taken up to such a mark arrived before now, so the
 * mark is set to now and counting continues from its counters. Samples in the future are removed: once their time has
 * come, their counters would look like a fall, and the bytes since the agent started would be charged a second time.
 */
async function setBack(
  trx: Trx,
  samples: SampleStore,
  marks: (SampleCounters & { id: string })[],
  now: Date,
): Promise<void> {
  const latest = new Date(now.getTime() + mostAheadMs)
  await samples.removeAfter(
    marks.map(({ id }) => id),
    latest,
  )
  const ahead = marks.filter(({ at }) => at > latest)
  if (ahead.length === 0) return
  for (const mark of ahead) mark.at = now
  await sql`update agent_traffic_marks set at = ${now}
    where instance_id = any(${ahead.map(({ id }) => id)}::text[])`.execute(trx)
}
