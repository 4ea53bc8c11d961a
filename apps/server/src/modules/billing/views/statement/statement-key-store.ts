/** The keys that sign statements. One signs at a time; those before it are kept, as what they signed stays sound. */
import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'
import type { Generated } from 'kysely'
import type { Sealer } from '../../../../platform/crypto.ts'
import type { Db } from '../../../../platform/db/index.ts'

interface StatementKeysTable {
  public_key: string
  sealed: string
  created_at: Date
  retired_at: Generated<Date | null>
}

declare module '../../../../platform/db/index.ts' {
  interface Tables {
    statement_keys: StatementKeysTable
  }
}

export interface StatementKey {
  /** Hex. */
  publicKey: string
  /** The signature on UTF-8 text, hex. */
  sign(text: string): string
}

interface KeyDeps {
  db: Db
  sealer: Sealer
  now: Date
}

/** Prefix of the 32 bytes of an Ed25519 key in its DER form (RFC 8410). */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefixBytes = 12

/**
 * The key that signs now. The first key is derived from the deployment's secret, as all were before keys were stored; a
 * key that replaces a retired one is random. Processes that create one at the same time end up with the same key.
 */
export async function ensureStatementKey({ db, sealer, now }: KeyDeps): Promise<StatementKey> {
  const current = await findCurrent(db)
  if (current) return keyOf(sealer.open('seed of statements', current.sealed))
  const isFirst = (await listPublicKeys(db)).length === 0
  const seed = isFirst ? sealer.derive('statement key') : randomBytes(32).toString('base64url')
  const { publicKey } = keyOf(seed)
  await db
    .insertInto('statement_keys')
    .values({ public_key: publicKey, sealed: sealer.seal('seed of statements', seed), created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const kept = await findCurrent(db)
  if (!kept) throw new Error('A statement key was neither made nor found')
  return keyOf(sealer.open('seed of statements', kept.sealed))
}

/** The public keys of all statements, hex: the one that signs now first, then the others, the newest first. */
export async function ensureStatementKeys(deps: KeyDeps): Promise<string[]> {
  const { publicKey } = await ensureStatementKey(deps)
  return [publicKey, ...(await listPublicKeys(deps.db)).filter((key) => key !== publicKey)]
}

/**
 * Retires the current signing key; the next statement creates another. Statements that it signed remain valid. Returns
 * its public key. A first key is stored before that, because it may have signed statements before keys were stored.
 */
export async function retireStatementKey(deps: KeyDeps): Promise<string> {
  const { publicKey } = await ensureStatementKey(deps)
  await deps.db
    .updateTable('statement_keys')
    .set({ retired_at: deps.now })
    .where('public_key', '=', publicKey)
    .where('retired_at', 'is', null)
    .execute()
  return publicKey
}

async function findCurrent(db: Db) {
  return await db.selectFrom('statement_keys').select('sealed').where('retired_at', 'is', null).executeTakeFirst()
}

async function listPublicKeys(db: Db): Promise<string[]> {
  const rows = db.selectFrom('statement_keys').select('public_key').orderBy('created_at', 'desc').orderBy('public_key')
  return (await rows.execute()).map((row) => row.public_key)
}

/** The key of a seed of 32 bytes, base64url. */
export function keyOf(seed: string): StatementKey {
  const der = Buffer.concat([privatePrefix, Buffer.from(seed, 'base64url')])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicDer = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return {
    publicKey: publicDer.subarray(publicPrefixBytes).toString('hex'),
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), key).toString('hex'),
  }
}
