import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { isChannelServed, startChannelLease } from './channel-lease.ts'

const database = useDatabase()

test('the channel is served while a process holds its lease, and not after that stopped or died', async () => {
  const { db } = database
  expect(await isChannelServed(db)).toBe(false)
  const first = await startChannelLease({ db, log: silentLog })
  const second = await startChannelLease({ db, log: silentLog })
  await first.stop()
  expect(await isChannelServed(db)).toBe(true)
  await second.stop()
  expect(await isChannelServed(db)).toBe(false)

  const killed = await startChannelLease({ db, log: silentLog })
  const age = () => database.pool.query(`update leases set renewed_at = renewed_at - interval '11 seconds'`)
  await age()
  expect(await isChannelServed(db)).toBe(false)
  // It stood still, and goes on.
  await expect.poll(() => isChannelServed(db)).toBe(true)
  await age()
  const other = await startChannelLease({ db, log: silentLog })
  await other.stop()
  await killed.stop()
  expect(await db.selectFrom('leases').selectAll().execute()).toEqual([])
})
