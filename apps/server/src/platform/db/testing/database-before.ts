import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@atoll/testkit'
import { createDatabase, type Database, migrate } from '../index.ts'

const migrations = fileURLToPath(new URL('before-baseline', import.meta.url))

type OldDatabase = AsyncDisposable &
  Database & {
    /** Runs the other files from before the baseline, and all that a program of today needs. */
    migrate(): Promise<void>
    /** Runs only what a program of today needs. */
    adopt(): Promise<void>
  }

/**
 * A database as it was before the migration file `name` of those from before the baseline, and what brings it up to
 * date. Without a name it has had all of them.
 */
export async function databaseBefore(name = '1000'): Promise<OldDatabase> {
  await using stack = new AsyncDisposableStack()
  const scratch = await createTestDatabase({ empty: true })
  stack.defer(() => scratch.drop())
  const { db, pool, close } = createDatabase({ connectionString: scratch.url })
  stack.defer(close)
  const before = mkdtempSync(join(tmpdir(), 'atoll-migrations-'))
  stack.defer(() => rmSync(before, { recursive: true }))
  for (const file of readdirSync(migrations).filter((one) => one < name))
    cpSync(join(migrations, file), join(before, file))
  await migrate(pool, before)
  const made = stack.move()
  const adopt = () => migrate(pool)
  return {
    db,
    pool,
    close,
    adopt,
    async migrate() {
      if (await isBefore(pool)) await migrate(pool, migrations)
      await adopt()
    },
    [Symbol.asyncDispose]: () => made.disposeAsync(),
  }
}

async function isBefore(pool: Database['pool']): Promise<boolean> {
  return (await pool.query(`select from schema_migrations where name < '1000' limit 1`)).rowCount === 1
}
