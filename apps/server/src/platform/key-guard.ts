import type { Pool } from 'pg'
import { createSealer } from './crypto.ts'
import { OperatorError } from './operator-error.ts'

/**
 * Makes sure that every process on one database has the same secret key: the first one leaves a mark that only the key
 * makes, and says nothing about it. With another key, what is sealed in the database could not be opened.
 */
export async function requireSameKey(pool: Pool, key: Uint8Array): Promise<void> {
  await pool.query(`insert into deployment_facts (name, value) values ('key mark', $1) on conflict do nothing`, [
    markOf(key),
  ])
  await checkSameKey(pool, key)
}

/** The same for whoever only reads: leaves no mark, and takes any key where no server has left one. */
export async function checkSameKey(pool: Pool, key: Uint8Array): Promise<void> {
  const { rows } = await pool.query<{ value: string }>(`select value from deployment_facts where name = 'key mark'`)
  if (rows[0] === undefined || rows[0].value === markOf(key)) return
  throw new OperatorError(
    'This database belongs to a deployment with another secret key. Set ATOLL_SECRET_KEY to that key, or put its ' +
      'secret.key into the data folder (ATOLL_DATA_DIR).',
  )
}

function markOf(key: Uint8Array): string {
  return createSealer(key).derive('mark of the deployment key')
}
