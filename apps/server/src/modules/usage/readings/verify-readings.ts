import { sql } from 'kysely'
import { type Db, inSnapshot, type Trx } from '../../../platform/db/index.ts'
import { hourlyTraffic } from '../../edge/index.ts'
import { findMark } from './reading-tables.ts'
import { lateMs, sourceOfCounter } from './take-traffic.ts'

export type ReadingsVerdict = { whole: true; readings: number } | { whole: false; where: string; problem: string }

/**
 * Whether each reading is as it was written, none is missing, and those of traffic add up to the counters of each hour
 * that was read. Late additions to a counter may still be unread. One snapshot; writes nothing.
 */
export async function verifyReadings(db: Db): Promise<ReadingsVerdict> {
  return await inSnapshot(
    db,
    async (trx) =>
      (await findChanged(trx)) ?? (await findUnequal(trx)) ?? (await findMissing(trx)) ?? (await countReadings(trx)),
  )
}

async function findChanged(trx: Trx): Promise<ReadingsVerdict | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from meter_readings as r where digest <> meter_reading_digest(r) order by id limit 1`.execute(trx)
  return rows[0] && { whole: false, where: `meter_readings ${rows[0].id}`, problem: 'it is not what was written' }
}

async function findUnequal(trx: Trx): Promise<ReadingsVerdict | undefined> {
  const through = (await findMark(trx, 'traffic')) ?? new Date(0)
  const lateUntil = new Date(through.getTime() - lateMs)
  const { rows } = await sql<{ source_key: string; counted: string; taken: string }>`
    with counted as (
      select ${sourceOfCounter} as source_key, c.hour, c.bytes
      from ${hourlyTraffic} c join owned_clusters owned on owned.id = c.cluster_id where c.hour < ${through}
    ), taken as (
      select source_key, sum(bytes) as bytes from meter_readings
      where product_type = 'cloud_traffic' and from_at < ${through} group by source_key
    )
    select source_key, coalesce(counted.bytes, 0)::text as counted, coalesce(taken.bytes, 0)::text as taken
    from counted full join taken using (source_key)
    where coalesce(counted.bytes, 0) < coalesce(taken.bytes, 0)
      or counted.bytes > coalesce(taken.bytes, 0) and counted.hour < ${lateUntil}
    order by source_key limit 1`.execute(trx)
  const [bad] = rows
  return (
    bad && {
      whole: false,
      where: bad.source_key,
      problem: `its readings add up to ${bad.taken} bytes, its counter says ${bad.counted}`,
    }
  )
}

/** By what the database counted as they were written. */
async function findMissing(trx: Trx): Promise<ReadingsVerdict | undefined> {
  const { rows } = await sql<{ product_type: string; written: number; found: number }>`
    with found as (
      select product_type, count(*) as readings, sum(meter_reading_weight(digest)) as digests
      from meter_readings group by product_type
    )
    select product_type, coalesce(t.readings, 0) as written, coalesce(f.readings, 0) as found
    from meter_tallies t full join found f using (product_type)
    where (t.readings, t.digests) is distinct from (f.readings, f.digests) order by product_type limit 1`.execute(trx)
  const [bad] = rows
  return (
    bad && {
      whole: false,
      where: `meter_readings of ${bad.product_type}`,
      problem: `${bad.written} were written, ${bad.found} are there${bad.written === bad.found ? ', others than those' : ''}`,
    }
  )
}

async function countReadings(trx: Trx): Promise<ReadingsVerdict> {
  const { readings } = await trx
    .selectFrom('meter_readings')
    .select(({ fn }) => fn.countAll<number>().as('readings'))
    .executeTakeFirstOrThrow()
  return { whole: true, readings }
}
