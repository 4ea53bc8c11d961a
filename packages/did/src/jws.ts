/**
 * Compact JWS with EdDSA by the key of a did:key (wire, "Keys and DIDs"). The key never comes from the message's word
 * alone: it is decoded from the DID, and what the message says about its issuer must agree with it.
 */
import { base64urlnopad } from '@scure/base'
import { CompactSign, compactVerify, decodeProtectedHeader, errors, importJWK, type JWSHeaderParameters } from 'jose'
import { didOfKeyId, publicKeyOfDid } from './did-key.ts'
import type { Identity } from './identity.ts'

/** Longest JWS that is read, characters; callers have their own, smaller limits. */
const maxLength = 65_536

/**
 * Base64url without padding whose unused last bits are zero (RFC 4648 §3.5): otherwise there were two texts for one
 * signature.
 */
const strictBase64Url = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/

export type JwsFault = 'malformed' | 'algorithm' | 'signature' | 'issuer'

/**
 * A JWS that is refused. `malformed`: not a compact JWS of a JSON object. `algorithm`: not EdDSA (`none` and HMAC
 * included). `signature`: not made by the key of the DID. `issuer`: `kid`, `iss` and the expected DID disagree.
 */
export class JwsRefusal extends Error {
  readonly fault: JwsFault
  constructor(fault: JwsFault, message: string) {
    super(message)
    this.name = 'JwsRefusal'
    this.fault = fault
  }
}

export type JwsPayload = Record<string, unknown>

/**
 * `payload` as JSON, signed: header `{alg: "EdDSA", kid: "did#fragment"}` and what `header` adds, such as `iss` or
 * `aud`.
 */
export async function signJws(
  payload: JwsPayload,
  identity: Identity,
  header: Readonly<Record<string, string>> = {},
): Promise<string> {
  const key = await importJWK({
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    x: base64urlnopad.encode(identity.publicKey),
    d: base64urlnopad.encode(identity.privateKey),
  })
  return await new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ ...header, alg: 'EdDSA', kid: identity.kid })
    .sign(key)
}

export interface VerifiedJws {
  /** The DID whose key signed. */
  did: string
  /** The signed payload; the caller checks its shape. */
  payload: JwsPayload
  header: JWSHeaderParameters
}

/**
 * Checks `jws` and gives what it signs. With `did`, bare or as its key id, only that DID's signature will do; without,
 * the DID is the header's `kid`. `iss` in payload or header, where there is one, must name the same DID. Times are
 * `checkTimes`'s business. Throws `JwsRefusal`, nothing else.
 */
export async function verifyJws(jws: string, expected: { did?: string } = {}): Promise<VerifiedJws> {
  const header = readHeader(jws)
  if (header.alg !== 'EdDSA') throw new JwsRefusal('algorithm', `algorithm ${String(header.alg)} is not accepted`)
  const did = signerOf(header, expected.did)
  const publicKey = publicKeyOfDid(did)
  if (!publicKey) throw new JwsRefusal('issuer', 'not a did:key of an Ed25519 key')
  const payload = readPayload(await verifiedBytes(jws, did, publicKey))
  for (const issuer of [header['iss'], payload['iss']]) {
    if (issuer !== undefined && (typeof issuer !== 'string' || didOfKeyId(issuer) !== did))
      throw new JwsRefusal('issuer', 'iss names another DID than the one that signed')
  }
  return { did, payload, header }
}

function readHeader(jws: string): JWSHeaderParameters {
  const parts = jws.length <= maxLength ? jws.split('.') : []
  if (parts.length !== 3) throw new JwsRefusal('malformed', 'not a compact JWS')
  if (!parts.every((part) => strictBase64Url.test(part))) throw new JwsRefusal('malformed', 'not a compact JWS')
  try {
    return decodeProtectedHeader(jws)
  } catch {
    throw new JwsRefusal('malformed', 'not a compact JWS')
  }
}

function signerOf(header: JWSHeaderParameters, expected: string | undefined): string {
  const wanted = expected === undefined ? undefined : didOfKeyId(expected)
  if (expected !== undefined && wanted === undefined) throw new JwsRefusal('issuer', 'not a did:key of an Ed25519 key')
  if (header.kid === undefined && wanted !== undefined) return wanted
  const did = typeof header.kid === 'string' ? didOfKeyId(header.kid) : undefined
  if (did === undefined) throw new JwsRefusal('issuer', 'kid is not a verification method of a did:key')
  if (wanted !== undefined && wanted !== did) throw new JwsRefusal('issuer', 'kid names another DID')
  return did
}

async function verifiedBytes(jws: string, did: string, publicKey: Uint8Array): Promise<Uint8Array> {
  const key = await keyOf(did, publicKey)
  try {
    return (await compactVerify(jws, key, { algorithms: ['EdDSA'] })).payload
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw new JwsRefusal('signature', 'the signature was not made by the key of this DID')
    if (error instanceof errors.JOSEError) throw new JwsRefusal('malformed', error.message)
    throw error
  }
}

type VerifyingKey = Awaited<ReturnType<typeof importJWK>>
/** Reading a key costs more than half of a verification, and an issuer's signs again and again. */
const keys = new Map<string, VerifyingKey>()
const mostKeys = 256

async function keyOf(did: string, publicKey: Uint8Array): Promise<VerifyingKey> {
  const known = keys.get(did)
  if (known) return known
  const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', x: base64urlnopad.encode(publicKey) })
  const [oldest] = keys.keys()
  if (keys.size >= mostKeys && oldest !== undefined) keys.delete(oldest)
  keys.set(did, key)
  return key
}

function readPayload(bytes: Uint8Array): JwsPayload {
  let payload: unknown
  try {
    payload = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new JwsRefusal('malformed', 'what is signed is not JSON')
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw new JwsRefusal('malformed', 'what is signed is not a JSON object')
  return payload as JwsPayload // JSON.parse gave a plain object
}
