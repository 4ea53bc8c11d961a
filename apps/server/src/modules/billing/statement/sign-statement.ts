import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Sealer } from '../../../platform/crypto.ts'

/** What stands before the 32 bytes of an Ed25519 key in its DER form (RFC 8410). */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefixBytes = 12

export interface StatementKey {
  /** Hex. */
  publicKey: string
  /** The signature on UTF-8 text, hex. */
  sign(text: string): string
}

/** The deployment's key for statements: the same as long as its secret is, so that newer ones go on from older ones. */
export function statementKeyOf(sealer: Pick<Sealer, 'derive'>): StatementKey {
  const seed = Buffer.from(sealer.derive('statement key'), 'base64url')
  const key = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' })
  return {
    publicKey: publicHexOf(key),
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), key).toString('hex'),
  }
}

function publicHexOf(key: KeyObject): string {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return der.subarray(publicPrefixBytes).toString('hex')
}
