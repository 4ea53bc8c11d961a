/** The stack of most test files: a server, and beside it a browser or a database that the file itself asks. */
import { randomBytes } from 'node:crypto'
import { createTestDatabase, type ServerProcess, startServer, type TestDatabase } from '@atoll/testkit'
import { Client } from 'pg'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchBrowser } from './browser.ts'

interface StackOptions {
  browser?: boolean
  /** A database of the file's own: the server's embedded one cannot be asked from outside. */
  sql?: boolean
  /** The server's settings; asked for when it starts. */
  env?: () => Record<string, string> | Promise<Record<string, string>>
}

/** Made before the tests and the hooks that follow, gone after them; what was not asked for cannot be read. */
export function useStack({ browser: withBrowser = false, sql: withSql = false, env }: StackOptions = {}) {
  let [server, browser, database, sql, settings]: [ServerProcess?, Browser?, TestDatabase?, Client?, object?] = []
  beforeAll(async () => {
    if (withSql) database = await createTestDatabase({ empty: true })
    const own = database && { DATABASE_URL: database.url, ATOLL_SECRET_KEY: randomBytes(32).toString('base64url') }
    const started = { ...own, ...(await env?.()) }
    settings = started
    ;[server, browser] = await Promise.all([startServer({ env: started }), withBrowser ? launchBrowser() : undefined])
    if (!database) return
    sql = new Client({ connectionString: database.url })
    await sql.connect()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.dispose()
    await sql?.end()
    await database?.drop()
  })
  const made = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('not asked for, or not made yet')
    return value
  }
  return {
    get server() {
      return made(server)
    },
    get browser() {
      return made(browser)
    },
    get sql() {
      return made(sql)
    },
    /** The server's settings: programs beside it take the same. */
    get settings() {
      return made(settings)
    },
  }
}
