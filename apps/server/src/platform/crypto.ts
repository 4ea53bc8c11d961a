import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { DerivedUse, SealedUse } from './key-uses.ts'

/** SHA-256 of UTF-8 `text`, 64 hex characters. Secrets are stored as this. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** A random secret of `bytes` bytes (32 = 256 bits), base64url without padding. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** A new object id: the prefix, `_`, and 20 base32 characters (100 random bits). */
export function newId(prefix: string): string {
  let text = `${prefix}_`
  for (const byte of randomBytes(20)) text += base32.charAt(byte & 31)
  return text
}

/** A deterministic object id: the prefix, `_`, and 20 base32 characters of the hash of these parts. */
export function derivedId(prefix: string, ...parts: readonly string[]): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([prefix, ...parts]))
    .digest()
  let text = `${prefix}_`
  for (const byte of bytes.subarray(0, 20)) text += base32.charAt(byte & 31)
  return text
}

/** Compares two secrets without revealing by its duration where they differ, or how long they are. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}

export interface Sealer {
  /** Names the key that new values are made with; made from it, so that it says nothing about it. */
  readonly keyId: string
  /** Of all keys that are here, that one first. */
  readonly keyIds: readonly string[]
  /** The prefix of each text that is sealed now; other texts were sealed with an older key, or before keys had ids. */
  readonly prefix: string
  /** Encrypts `text` (AES-256-GCM, fresh nonce): the same text gives another result each time. */
  seal(use: SealedUse, text: string): string
  /** The text that was sealed for this use; throws when `sealed` was changed or made with a key that is not here. */
  open(use: SealedUse, sealed: string): string
  /** A 256-bit token that depends only on the key and what it is for: repeatable, not guessable. base64url. */
  derive(use: DerivedUse, of?: string): string
  /** The same with each key that is here, the one for new values first. */
  deriveEach(use: DerivedUse, of?: string): string[]
  /** Whether `shown` was derived with a key that is here. */
  accepts(use: DerivedUse, of: string | undefined, shown: string): boolean
}

/** Before keys had ids, and as long as a deployment was given no second one: a version before this reads these. */
const plainVersion = 'v1'
/** `v2.<id of the key>.<sealed>`, bound to what it is for. */
const namedVersion = 'v2'
const nonceBytes = 12
const tagBytes = 16

const subkey = (key: Uint8Array, use: string) => Buffer.from(hkdfSync('sha256', key, '', `atoll ${use}`, 32))

/** A short id for a key, to tell keys apart. */
export function keyIdOf(key: Uint8Array): string {
  return subkey(key, 'id').toString('hex').slice(0, 12)
}

/**
 * `key` is the deployment's secret of at least 32 bytes; separate keys for sealing and deriving are made from it.
 * `older` keys still open what they sealed. Without `isNamed`, sealed texts do not name their key.
 */
export function createSealer(
  key: Uint8Array,
  { older = [], isNamed = false }: { older?: readonly Uint8Array[]; isNamed?: boolean } = {},
): Sealer {
  const keys = [key, ...older].map((one) => {
    if (one.length < 32) throw new Error(`The secret key has ${one.length} bytes; at least 32 are needed`)
    return { id: keyIdOf(one), sealKey: subkey(one, 'seal'), deriveKey: subkey(one, 'derive') }
  })
  const [current] = keys
  if (!current) throw new Error('A sealer was made without a key')
  const prefix = isNamed ? `${namedVersion}.${current.id}.` : `${plainVersion}.`
  const labelOf = (use: DerivedUse, of: string | undefined) => (of === undefined ? use : `${use} ${of}`)
  const deriveEach: Sealer['deriveEach'] = (use, of) =>
    keys.map(({ deriveKey }) => createHmac('sha256', deriveKey).update(labelOf(use, of), 'utf8').digest('base64url'))
  return {
    keyId: current.id,
    keyIds: keys.map(({ id }) => id),
    prefix,
    seal(use, text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current.sealKey, nonce)
      if (isNamed) cipher.setAAD(Buffer.from(use))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return prefix + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(use, sealed) {
      const [version, ...rest] = sealed.split('.')
      const [encoded, id] = rest.reverse()
      const isKnown = version === plainVersion ? rest.length === 1 : version === namedVersion && rest.length === 2
      if (!isKnown || !encoded) throw new Error('Not a sealed text of a known version')
      const bytes = Buffer.from(encoded, 'base64url')
      // The last character may hold bits that no byte comes of: of the texts that decode to the same, one was sealed.
      if (bytes.toString('base64url') !== encoded) throw new Error('Not a sealed text: it was changed')
      const able = id === undefined ? keys : keys.filter((one) => one.id === id)
      if (able.length === 0) throw new Error(`Sealed with the key ${id}, which is not here`)
      let failure: unknown
      for (const { sealKey } of able)
        try {
          return openWith(sealKey, bytes, id === undefined ? undefined : use)
        } catch (error) {
          failure = error
        }
      throw failure
    },
    derive: (use, of) => createHmac('sha256', current.deriveKey).update(labelOf(use, of), 'utf8').digest('base64url'),
    deriveEach,
    accepts: (use, of, shown) => deriveEach(use, of).some((token) => equalSecrets(token, shown)),
  }
}

function openWith(sealKey: Buffer, bytes: Buffer, boundTo: string | undefined): string {
  const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, nonceBytes))
  if (boundTo !== undefined) decipher.setAAD(Buffer.from(boundTo))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
}
