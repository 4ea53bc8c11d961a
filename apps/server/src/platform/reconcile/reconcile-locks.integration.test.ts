import { createTestDatabase, type TestDatabase } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type Database } from '../db/index.ts'
import { createReconcileLocks, type TryRun } from './reconcile-locks.ts'

let testDatabase: TestDatabase
let databases: Database[]
let here: TryRun
let elsewhere: TryRun
beforeAll(async () => {
  testDatabase = await createTestDatabase()
})
afterAll(() => testDatabase.drop())
beforeEach(() => {
  databases = [1, 2].map(() => createDatabase({ connectionString: testDatabase.url }, { max: 3 }))
  const [one, two] = databases
  if (!one || !two) throw new Error('two databases were made')
  here = createReconcileLocks(one.db, 7003)
  elsewhere = createReconcileLocks(two.db, 7003)
})
// Ends only when every connection was given back.
afterEach(() => Promise.all(databases.map((database) => database.close())))

/** Holds the lock of `clusterId` until `release`. */
async function hold(locks: TryRun, clusterId: string) {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const done = locks(clusterId, async () => {
    held.resolve()
    await released.promise
  })
  await held.promise
  return {
    release: async () => {
      released.resolve()
      return await done
    },
  }
}
const nothing = async () => undefined

describe('the lock of a cluster', () => {
  test('is held by one, in this process and in others, and free again after', async () => {
    const lock = await hold(here, 'cl_one')
    expect(await here('cl_one', nothing)).toBe(false)
    expect(await elsewhere('cl_one', nothing)).toBe(false)
    expect(await elsewhere('cl_two', nothing)).toBe(true)
    expect(await here('cl_two', nothing)).toBe(true)
    expect(await lock.release()).toBe(true)
    expect(await elsewhere('cl_one', nothing)).toBe(true)
  })

  test('is free again when the work failed', async () => {
    const failing = here('cl_one', () => Promise.reject(new Error('the work failed')))
    await expect(failing).rejects.toThrow('the work failed')
    expect(await elsewhere('cl_one', nothing)).toBe(true)
  })

  test('of many clusters is held on one connection, which is given back', async () => {
    const [database] = databases
    const locks = await Promise.all(['cl_a', 'cl_b', 'cl_c', 'cl_d', 'cl_e'].map((id) => hold(here, id)))
    expect(database?.pool.totalCount).toBe(1)
    await Promise.all(locks.map((lock) => lock.release()))
    expect(database?.pool.idleCount).toBe(database?.pool.totalCount)
  })

  test('is gone with its connection, and the next one opens another', async () => {
    const lock = await hold(here, 'cl_one')
    await databases[1]?.pool.query(
      // pg_locks shows the whole server's, and other tests hold theirs in databases beside this one.
      `select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = pg_locks.database
       where locktype = 'advisory' and classid = 7003 and datname = current_database() and pid <> pg_backend_pid()`,
    )
    await expect.poll(() => elsewhere('cl_one', nothing)).toBe(true)
    await expect(lock.release()).rejects.toThrow()
    expect(await here('cl_one', nothing)).toBe(true)
  })

  test('held by two who compete is passed on, never shared', async () => {
    let inside = 0
    let runs = 0
    const compete = async (locks: TryRun) => {
      for (let round = 0; round < 30; round += 1) {
        await locks('cl_one', async () => {
          inside += 1
          expect(inside).toBe(1)
          await new Promise((resolve) => setImmediate(resolve))
          inside -= 1
          runs += 1
        })
      }
    }
    await Promise.all([compete(here), compete(here), compete(elsewhere)])
    expect(runs).toBeGreaterThan(0)
  })
})
