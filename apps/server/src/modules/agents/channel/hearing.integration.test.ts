import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { hearsAgents, startHearing } from './hearing.ts'

const database = useDatabase()

test('agents are heard while one process that serves them runs, and not by one that stopped or died', async () => {
  const { db } = database
  expect(await hearsAgents(db)).toBe(false)
  const first = await startHearing({ db, log: silentLog })
  const second = await startHearing({ db, log: silentLog })
  await first.stop()
  expect(await hearsAgents(db)).toBe(true)
  await second.stop()
  expect(await hearsAgents(db)).toBe(false)

  const killed = await startHearing({ db, log: silentLog })
  const age = () => database.pool.query(`update leases set renewed_at = renewed_at - interval '11 seconds'`)
  await age()
  expect(await hearsAgents(db)).toBe(false)
  // It stood still, and goes on.
  await expect.poll(() => hearsAgents(db)).toBe(true)
  await age()
  const other = await startHearing({ db, log: silentLog })
  await other.stop()
  await killed.stop()
  expect(await db.selectFrom('leases').selectAll().execute()).toEqual([])
})
