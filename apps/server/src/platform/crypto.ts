import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

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

/** The object id that these parts always give, whoever asks: the prefix, `_`, and 20 base32 characters of their hash. */
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
  /** Encrypts `text` (AES-256-GCM, fresh nonce): the same text gives another result each time. */
  seal(text: string): string
  /** The text that was sealed; throws when `sealed` was changed or made with another key. */
  open(sealed: string): string
  /** A 256-bit token that depends only on the key and `label`: repeatable, not guessable. base64url. */
  derive(label: string): string
}

const sealVersion = 'v1'
const nonceBytes = 12
const tagBytes = 16

/** `key` is the deployment's secret of at least 32 bytes; separate keys for sealing and deriving are made from it. */
export function createSealer(key: Uint8Array): Sealer {
  if (key.length < 32) throw new Error(`The secret key has ${key.length} bytes; at least 32 are needed`)
  const subkey = (use: string) => Buffer.from(hkdfSync('sha256', key, '', `atoll ${use}`, 32))
  const sealKey = subkey('seal')
  const deriveKey = subkey('derive')
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${sealVersion}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed) {
      const [version, encoded] = sealed.split('.')
      if (version !== sealVersion || !encoded) throw new Error('Not a sealed text of a known version')
      const bytes = Buffer.from(encoded, 'base64url')
      // The last character may hold bits that no byte comes of: of the texts that decode to the same, one was sealed.
      if (bytes.toString('base64url') !== encoded) throw new Error('Not a sealed text: it was changed')
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
    derive: (label) => createHmac('sha256', deriveKey).update(label, 'utf8').digest('base64url'),
  }
}
