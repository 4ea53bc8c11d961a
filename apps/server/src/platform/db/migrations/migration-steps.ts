/**
 * A file that begins with `-- in steps` (after its lines about older programs) runs outside a transaction, one
 * statement at a time: indexes are built while others write, and much data is filled in batches that each commit. A run
 * that was killed starts again from the beginning, so each statement has to be safe to repeat:
 *   create [unique] index concurrently if not exists …   a half-built one is removed first
 *   drop index concurrently if exists …
 *   alter table … validate constraint …
 *   -- until none is left
 *   update | insert | delete …                           run until it changes no row
 */
import type { PoolClient } from 'pg'
import type { Log } from '../../log.ts'

export interface Step {
  sql: string
  /** Run until it changes no row. */
  isRepeated: boolean
  /** The index that it builds. */
  index: string | undefined
}

const declaration = '-- in steps'
const repeated = '-- until none is left'
const building = /^create (?:unique )?index concurrently if not exists (\w+) on /i
const others = /^(drop index concurrently if exists |alter table \w+ validate constraint )/i
const batch = /^(update|insert|delete|with) /i

/** Undefined: the file runs in one transaction. Throws for a statement that may not be run again. */
export function readSteps(name: string, sql: string): Step[] | undefined {
  const lines = sql.split('\n')
  const first = lines.findIndex((line) => !line.startsWith('-- oldest program:'))
  if (lines[first] !== declaration) {
    if (lines.includes(declaration)) throw new Error(`Migration ${name}: "${declaration}" has to stand at its top`)
    return undefined
  }
  return lines
    .slice(first + 1)
    .join('\n')
    .split(/;\s*$/m)
    .filter((statement) => statement.replace(/--.*$/gm, '').trim() !== '')
    .map((statement) => readStep(name, statement.trim()))
}

function readStep(name: string, sql: string): Step {
  const isRepeated = sql.split('\n').includes(repeated)
  const code = sql.replace(/--.*$/gm, ' ').replace(/\s+/g, ' ').trim()
  const index = building.exec(code)?.[1]
  if (!(isRepeated ? batch.test(code) : index !== undefined || others.test(code)))
    throw new Error(`Migration ${name}: this may not be a step, since it cannot be run again: ${code.slice(0, 80)}`)
  return { sql, isRepeated, index }
}

/** Runs all of them; some may have run before. */
export async function runSteps(client: PoolClient, name: string, steps: readonly Step[], log: Log): Promise<void> {
  for (const { sql, isRepeated, index } of steps) {
    if (!isRepeated) {
      // It waits for those who write, and they not for it.
      await client.query('set lock_timeout = 0')
      if (index !== undefined) await dropHalfBuilt(client, index)
      await client.query(sql)
      continue
    }
    let rows = 0
    for (let changed = -1; changed !== 0; ) {
      changed = (await client.query(sql)).rowCount ?? 0
      rows += changed
    }
    log.info({ migration: name, rows }, 'a migration changed rows in batches')
  }
}

async function dropHalfBuilt(client: PoolClient, index: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  )
  if (rowCount !== 0) await client.query(`drop index concurrently if exists ${index}`)
}
