import type { MeteredProduct } from '@atoll/contract/billing'
import type { networkProducts } from '@atoll/contract/wire'
import type { Generated } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface MeterReadingsTable {
  id: Generated<number>
  owner: string
  cluster_id: string
  series: string
  product_type: MeteredProduct
  network: (typeof networkProducts)[number] | null
  from_at: Date
  to_at: Date | null
  /** Decimal text; of a flow that was corrected, less than nothing. */
  bytes: string
  source_key: string
  seq: number
  taken_at: Date
  /** The database writes it. */
  digest: Generated<string>
}

interface MeterMarksTable {
  source: MeterSource
  through: Date
}

/** Written by the database alone, with each reading. */
interface MeterTalliesTable {
  product_type: MeteredProduct
  readings: number
  /** Decimal text. */
  digests: string
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    meter_tallies: MeterTalliesTable
    meter_readings: MeterReadingsTable
    meter_marks: MeterMarksTable
  }
}

/** The sources that are read hourly. */
export type MeterSource = 'traffic' | 'storage' | 'backup'

/** Clocks of workers differ by less. ms */
const mostAheadMs = 60 * 60_000

/**
 * A source has been read until `through`; never less far than before, but where that is a time to come: it is from
 * before the clock was set back, and what flows until then has not been read.
 */
export async function keepMark(trx: Trx, source: MeterSource, through: Date, now: Date): Promise<void> {
  const future = new Date(now.getTime() + mostAheadMs)
  await trx
    .insertInto('meter_marks')
    .values({ source, through })
    .onConflict((conflict) =>
      conflict
        .column('source')
        .doUpdateSet({ through })
        .where((mark) =>
          mark.or([mark('meter_marks.through', '<', through), mark('meter_marks.through', '>', future)]),
        ),
    )
    .execute()
}

export async function findMark(db: Db, source: MeterSource): Promise<Date | undefined> {
  const row = await db.selectFrom('meter_marks').select('through').where('source', '=', source).executeTakeFirst()
  return row?.through
}

/** Bytes that a series holds from `at` on; `key` is written once. */
export interface Level {
  owner: string
  clusterId: string
  series: string
  at: Date
  bytes: number
  key: string
}

/** Writes down what was held from a time on; a key that has been written is left alone. */
export async function insertLevels(
  trx: Trx,
  product_type: 'cloud_storage' | 'cloud_backup',
  levels: readonly Level[],
  taken_at: Date,
): Promise<void> {
  const batch = 5000
  for (let from = 0; from < levels.length; from += batch) {
    await trx
      .insertInto('meter_readings')
      .values(
        levels.slice(from, from + batch).map(({ owner, clusterId, series, at, bytes, key }) => ({
          owner,
          cluster_id: clusterId,
          series,
          product_type,
          network: null,
          from_at: at,
          to_at: null,
          bytes: String(bytes),
          source_key: key,
          seq: 1,
          taken_at,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
