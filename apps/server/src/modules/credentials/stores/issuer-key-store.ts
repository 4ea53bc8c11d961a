/** The keys that sign credentials. One issues at a time; those before it are kept, as what they signed stays valid. */
import { generateKeyPairSync } from 'node:crypto'
import { type Identity, identityFromPrivateKey } from '@atoll/did'
import type { Generated } from 'kysely'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface IssuerKeysTable {
  did: string
  sealed: string
  created_at: Date
  retired_at: Generated<Date | null>
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    issuer_keys: IssuerKeysTable
  }
}

interface KeyDeps {
  db: Db | Trx
  sealer: Sealer
  now: Date
}

/** The identity that issues now; the first time it is made. Processes that make it at once agree on one. */
export async function ensureIssuer({ db, sealer, now }: KeyDeps): Promise<Identity> {
  const current = await findCurrent(db)
  if (current) return identityOf(sealer, current.sealed)
  const made = newIdentity()
  await db
    .insertInto('issuer_keys')
    .values({
      did: made.did,
      sealed: sealer.seal('key of credentials', Buffer.from(made.privateKey).toString('base64url')),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const kept = await findCurrent(db)
  if (!kept) throw new Error('An issuer key was neither made nor found')
  return identityOf(sealer, kept.sealed)
}

/** This deployment's issuer with this DID, retired or not; undefined: there is none. */
export async function findIssuer({ db, sealer }: Omit<KeyDeps, 'now'>, did: string): Promise<Identity | undefined> {
  const row = await db.selectFrom('issuer_keys').select('sealed').where('did', '=', did).executeTakeFirst()
  return row && identityOf(sealer, row.sealed)
}

/**
 * Retires the current issuer key; the next credential makes another. Credentials that it signed stay valid. Returns its
 * DID; undefined: there is no current one.
 */
export async function retireIssuer(db: Db | Trx, now: Date): Promise<string | undefined> {
  const retired = await db
    .updateTable('issuer_keys')
    .set({ retired_at: now })
    .where('retired_at', 'is', null)
    .returning('did')
    .executeTakeFirst()
  return retired?.did
}

async function findCurrent(db: Db | Trx) {
  return await db.selectFrom('issuer_keys').select('sealed').where('retired_at', 'is', null).executeTakeFirst()
}

function identityOf(sealer: Sealer, sealed: string): Identity {
  return identityFromPrivateKey(Buffer.from(sealer.open('key of credentials', sealed), 'base64url'))
}

function newIdentity(): Identity {
  const { d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  if (d === undefined) throw new Error('A private key without its bytes')
  return identityFromPrivateKey(Buffer.from(d, 'base64url'))
}
