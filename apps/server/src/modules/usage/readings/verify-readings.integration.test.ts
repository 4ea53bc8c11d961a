import { createTestClock } from '@atoll/testkit'
import { beforeAll, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { type Harness, openHarness } from '../../billing/testing/billing-harness.ts'
import { importCdn } from '../import/import-cdn.ts'
import { insertLevels } from './reading-tables.ts'
import { verifyReadings } from './verify-readings.ts'

const start = new Date('2028-02-28T00:00:00Z')
const database = useDatabase()
let harness: Harness

beforeAll(async () => {
  harness = await openHarness(database, { clock: createTestClock(start) })
  const clusterId = await harness.insertCluster()
  const level = { owner: harness.userid, clusterId, series: 'in_one', bytes: 5e9 }
  await database.db.transaction().execute(async (trx) => {
    for (const at of [start, new Date(start.getTime() + 3_600_000)]) {
      const key = at.toISOString()
      await insertLevels(trx, 'cloud_storage', [{ ...level, at, key: `storage ${key}` }], at)
      await insertLevels(trx, 'cloud_storage', [{ ...level, at, key: `storage ${key}` }], at)
      await insertLevels(trx, 'cloud_backup', [{ ...level, at, key: `backup ${key}` }], at)
    }
  })
  async function* lines() {
    yield 'cluster_id,product_type,from,to,bytes'
    yield `${clusterId},cdn_traffic,2028-02-27T00:00:00Z,2028-02-27T01:00:00Z,1000`
  }
  expect(await importCdn(database.db, lines(), start)).toMatchObject({ added: 1 })
})

/** The verdict after `change`, which is made with the append-only trigger disabled. */
async function verifyAfter(change: string) {
  const { pool } = database
  await pool.query('alter table meter_readings disable trigger meter_readings_append_only')
  try {
    const { rows } = await pool.query(change)
    expect(rows).toHaveLength(1)
    return { found: await verifyReadings(database.db), row: rows[0] }
  } finally {
    await pool.query('alter table meter_readings enable trigger meter_readings_append_only')
  }
}

test.each(['cloud_storage', 'cloud_backup', 'cdn_traffic'])(
  'a reading of %s that was deleted is missed',
  async (product) => {
    expect(await verifyReadings(database.db)).toEqual({ whole: true, readings: 5 })
    const { found, row } = await verifyAfter(
      `delete from meter_readings where id = (select max(id) from meter_readings where product_type = '${product}')
      returning *`,
    )
    const written = product === 'cdn_traffic' ? 1 : 2
    expect(found).toEqual({
      whole: false,
      where: `meter_readings of ${product}`,
      problem: `${written} were written, ${written - 1} are there`,
    })
    // Put back as it was, without being counted as a new one.
    await database.pool.query('alter table meter_readings disable trigger meter_readings_tally')
    await database.pool.query(
      `insert into meter_readings overriding system value
      select * from jsonb_populate_record(null::meter_readings, $1)`,
      [JSON.stringify(row)],
    )
    await database.pool.query('alter table meter_readings enable trigger meter_readings_tally')
    expect(await verifyReadings(database.db)).toEqual({ whole: true, readings: 5 })
  },
)
