/**
 * Rolls up the minutes of each hour that is over into five-minute rows. The hour's row of `sample_hours` is locked
 * meanwhile:
 *   open      rolled_at null: the hour is not over, was not rolled up yet, or parts of it have arrived since
 *   rolled    rolled_at set, in the transaction that wrote its five-minute rows
 * A writer of a part of an hour opens the hour again, and waits for a roll-up under way; so late parts are never left
 * out, and an hour that is rolled up twice is overwritten. A killed worker leaves the hour open.
 */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { fiveMinuteTier, hourMs, makePartitions } from './partitions.ts'
import { minutesWithRises } from './rises.ts'

/** Parts of its last minute are on their way for a while. ms */
const settleMs = 3 * 60_000

/** Rolls up every open hour that is over; the number of hours. Any number of workers may do so at once. */
export async function rollUpHours(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
  const over = new Date(now.getTime() - hourMs - settleMs)
  let hours = 0
  // Hours that failed or that others hold are left to the next run: each is tried once.
  const { rows } = await sql<{ hour: Date }>`
    select hour from sample_hours where rolled_at is null and hour <= ${over} order by hour`.execute(db)
  for (const { hour } of rows) {
    if (signal?.aborted) break
    await makePartitions(db, fiveMinuteTier, [hour.getTime()])
    if (await rollUpHour(db, hour, now)) hours += 1
  }
  return hours
}

/** False where another worker does it. */
async function rollUpHour(db: Db, hour: Date, now: Date): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const locked = await sql`select 1 from sample_hours where hour = ${hour} and rolled_at is null
      for update skip locked`.execute(trx)
    if (locked.rows.length === 0) return false
    const minutes = minutesWithRises({ series: null, from: hour, to: new Date(hour.getTime() + hourMs) })
    await sql`
      insert into five_minute_samples
        (series, at, samples, cpu, cpu_max, memory, memory_max, disk, bytes_in, bytes_out, seconds)
      select series, date_bin('5 minutes', at, 'epoch') as at, sum(samples), sum(cpu * samples) / sum(samples),
        max(cpu_max), sum(memory::numeric * samples) / sum(samples), max(memory_max),
        sum(disk::numeric * samples) / sum(samples), sum(bytes_in), sum(bytes_out), sum(seconds)
      from (${minutes}) as minutes group by 1, 2 order by 1, 2
      on conflict (series, at) do update set samples = excluded.samples, cpu = excluded.cpu,
        cpu_max = excluded.cpu_max, memory = excluded.memory, memory_max = excluded.memory_max,
        disk = excluded.disk, bytes_in = excluded.bytes_in, bytes_out = excluded.bytes_out,
        seconds = excluded.seconds`.execute(trx)
    await sql`update sample_hours set rolled_at = ${now} where hour = ${hour}`.execute(trx)
    return true
  })
}
