import { createTestDatabase, type TestDatabase } from '@atoll/testkit'
import { afterAll, beforeAll } from 'vitest'
import { createDatabase, type Database, type PoolOptions } from '../index.ts'

/** A database of the calling test file's own, with every migration applied. */
export interface FileDatabase extends Database {
  /** Connection URL. */
  readonly url: string
}

/** Made before the file's tests and hooks that follow, dropped after them; outside of them nothing is behind it. */
export function useDatabase(options: PoolOptions = {}): FileDatabase {
  let scratch: TestDatabase | undefined
  let database: Database | undefined
  beforeAll(async () => {
    scratch = await createTestDatabase()
    database = createDatabase({ connectionString: scratch.url }, options)
  })
  afterAll(async () => {
    await database?.close()
    await scratch?.drop()
  })
  const made = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The database of a test file is made by a hook before its tests')
    return value
  }
  return {
    get db() {
      return made(database).db
    },
    get pool() {
      return made(database).pool
    },
    close: () => made(database).close(),
    get url() {
      return made(scratch).url
    },
  }
}
