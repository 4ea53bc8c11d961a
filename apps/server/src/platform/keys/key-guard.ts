import { sql } from 'kysely'
import { createSealer, keyIdOf, type Sealer } from '../crypto.ts'
import type { SecretKeys } from '../data-folder/secret-key.ts'
import type { Db } from '../db/index.ts'
import { findFact, keepFact } from '../facts/index.ts'
import { OperatorError } from '../operator-error.ts'

/** A value derived from the secret key that makes new values; only that key can produce it. */
export const keyMarkFact = 'key mark'

/**
 * Makes sure that every process on one database has the same secret key: the first one leaves a mark that only the key
 * makes, and says nothing about it. With another key, what is sealed in the database could not be opened. Of several
 * keys, the one of the mark makes new values.
 */
export async function requireSameKey(db: Db, keys: SecretKeys): Promise<Sealer> {
  await keepFact(db, keyMarkFact, markOf(keys[0]))
  return await checkSameKey(db, keys)
}

/** The same for a process that only reads: leaves no mark, and takes any key where no server has left one. */
export async function checkSameKey(db: Db, keys: SecretKeys): Promise<Sealer> {
  const mark = await findFact(db, keyMarkFact)
  const current = mark === undefined ? keys[0] : keys.find((key) => markOf(key) === mark)
  if (current) {
    const older = keys.filter((key) => key !== current)
    return createSealer(current, { older, isNamed: await isAdded(db, keyIdOf(current)) })
  }
  throw new OperatorError(
    'This database belongs to a deployment with another secret key. Set ATOLL_SECRET_KEY to that key, or put its ' +
      'secret.key into the data folder (ATOLL_DATA_DIR).',
  )
}

/** Whether one of these keys left the mark of the deployment, the fact `keyMarkFact`. */
export function isKeyOf(keys: SecretKeys, mark: string): boolean {
  return keys.some((key) => mark === markOf(key))
}

export function markOf(key: Uint8Array): string {
  return createSealer(key).derive('mark of the deployment key')
}

/** A database from before keys were added has no table for them. */
async function isAdded(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select to_regclass('secret_keys') is not null as has`.execute(db)
  if (!rows[0]?.has) return false
  return (await sql`select from secret_keys where id = ${id}`.execute(db)).rows.length > 0
}
