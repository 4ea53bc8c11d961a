import { createPrivateKey, sign as signBytes } from 'node:crypto'
import type { Identity } from '@atoll/did'

/**
 * Compact JWS put together by hand from Node's own Ed25519: a second implementation beside the one under test, and one
 * that also writes what no honest library would.
 */
export function composeJws(header: object, payload: unknown, signature: (input: Buffer) => Buffer): string {
  const input = `${encode(JSON.stringify(header))}.${encode(JSON.stringify(payload))}`
  return `${input}.${signature(Buffer.from(input)).toString('base64url')}`
}

/** Signs with the raw key of `identity`. */
export function ed25519(identity: Identity): (input: Buffer) => Buffer {
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'OKP',
      crv: 'Ed25519',
      x: Buffer.from(identity.publicKey).toString('base64url'),
      d: Buffer.from(identity.privateKey).toString('base64url'),
    },
  })
  return (input) => signBytes(null, input, key)
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url')
}
