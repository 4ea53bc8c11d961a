import { createTestDatabase } from '@atoll/testkit'
import { expect, it } from 'vitest'
import { loadConfig } from '../config.ts'
import { createDatabase } from '../platform/db/index.ts'
import { requireSameKey } from '../platform/keys/index.ts'
import { silentLog } from '../platform/log.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { openDatabase, readPending } from './database.ts'

const open = (url: string) => openDatabase(loadConfig({ DATABASE_URL: url }, '/nowhere'), silentLog)

it('opens a given database and brings an empty one up to date', async () => {
  await using scratch = await createTestDatabase({ empty: true })
  const database = await open(scratch.url)
  const { rows } = await database.pool.query('select count(*) > 0 as migrated from schema_migrations')
  expect(rows).toEqual([{ migrated: true }])
  await database.close()
  await database.stopServer()
})

it('says in one sentence that a given database does not answer', async () => {
  const refused = open('postgresql://app:secret-password@127.0.0.1:1/atoll')
  await expect(refused).rejects.toThrow(OperatorError)
  await expect(open('postgresql://app:secret-password@127.0.0.1:1/atoll')).rejects.toThrow(
    /DATABASE_URL cannot be used: .*ECONNREFUSED/,
  )
  await expect(open('postgresql://app:secret-password@127.0.0.1:1/atoll')).rejects.not.toThrow(/secret-password/)
})

it('changes nothing where only the command migrate may, and takes a database that is up to date', async () => {
  await using empty = await createTestDatabase({ empty: true })
  const openUnchanged = (url: string) => openDatabase(loadConfig({ DATABASE_URL: url }, '/nowhere'), silentLog, false)
  await expect(openUnchanged(empty.url)).rejects.toThrow(/lacks \d+ migrations.*run the command migrate/)
  await using current = await createTestDatabase()
  const database = await openUnchanged(current.url)
  await database.close()
})

it('says before a switch that a version cannot read the key in use, and takes an empty database with any', async () => {
  const pending = (url: string, key: string) =>
    readPending(loadConfig({ DATABASE_URL: url, ATOLL_SECRET_KEY: key }, '/nowhere'), silentLog)
  const key = 'the key that a rotation left alone'
  await using empty = await createTestDatabase({ empty: true })
  expect((await pending(empty.url, key)).pending.length).toBeGreaterThan(0)
  await using current = await createTestDatabase()
  const { db, close } = createDatabase({ connectionString: current.url })
  await requireSameKey(db, [Buffer.from(key)])
  await close()
  expect(await pending(current.url, key)).toMatchObject({ pending: [] })
  await expect(pending(current.url, 'the key that was there before the rotation')).rejects.toThrow(/another secret key/)
})
