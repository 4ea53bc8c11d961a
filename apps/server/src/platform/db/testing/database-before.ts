import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@atoll/testkit'
import { createDatabase, type Database, migrate } from '../index.ts'

const migrations = fileURLToPath(new URL('../../../../migrations', import.meta.url))

/** A database as it was before the migration file `name`, and what brings it up to date. */
export async function databaseBefore(name: string): Promise<AsyncDisposable & Database & { migrate(): Promise<void> }> {
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
  return { db, pool, close, migrate: () => migrate(pool, migrations), [Symbol.asyncDispose]: () => made.disposeAsync() }
}
