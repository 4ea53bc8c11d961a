import type { Pool } from 'pg'
import { createSealer } from './crypto.ts'
import { OperatorError } from './operator-error.ts'

/** What only the secret key makes. */
export const keyMarkFact = 'key mark'

/**
 * Makes sure that every process on one database has the same secret key: the first one leaves a mark that only the key
 * makes, and says nothing about it. With another key, what is sealed in the database could not be opened.
 */
export async function requireSameKey(pool: Pool, key: Uint8Array): Promise<void> {
  await pool.query(`insert into deployment_facts (name, value) values ($1, $2) on conflict do nothing`, [
    keyMarkFact,
    markOf(key),
  ])
  await checkSameKey(pool, key)
}

/** The same for whoever only reads: leaves no mark, and takes any key where no server has left one. */
export async function checkSameKey(pool: Pool, key: Uint8Array): Promise<void> {
  const { rows } = await pool.query<{ value: string }>('select value from deployment_facts where name = $1', [
    keyMarkFact,
  ])
  if (rows[0] === undefined || isKeyOf(key, rows[0].value)) return
  throw new OperatorError(
    'This database belongs to a deployment with another secret key. Set ATOLL_SECRET_KEY to that key, or put its ' +
      'secret.key into the data folder (ATOLL_DATA_DIR).',
  )
}

/** Whether this key left the mark of the deployment, the fact `keyMarkFact`. */
export function isKeyOf(key: Uint8Array, mark: string): boolean {
  return mark === markOf(key)
}

function markOf(key: Uint8Array): string {
  return createSealer(key).derive('mark of the deployment key')
}
