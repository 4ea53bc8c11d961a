/**
 * Encryption at rest, all of it WebCrypto.
 *
 * The six-digit passcode is stretched by PBKDF2 (SHA-256, 600 000 rounds, 16 random bytes of salt; OWASP's figure for
 * SHA-256) into a wrapping key. It wraps one random AES-256-GCM key, the vault key, and that one encrypts the entropy
 * of each identity. So a new passcode re-wraps 32 bytes and touches no identity, and an open wallet holds a key that no
 * script can export.
 *
 * Limits: a thief with a copy of the storage can try a million passcodes offline, about two days of one core. The
 * passcode keeps a borrowed phone honest; the device's own lock keeps the storage from being copied.
 */
import { base64 } from '@scure/base'
import type { Sealed } from './vault-file.ts'

export const passcodeRounds = 600_000
const aes = { name: 'AES-GCM', length: 256 }

export class WrongPasscode extends Error {}
/** The ciphertext does not belong to its identity, or was changed. */
export class VaultDamaged extends Error {}

export type Bytes = Uint8Array<ArrayBuffer>

export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length))
}

export function toBytes(text: string): Bytes {
  return new Uint8Array(base64.decode(text))
}

/** Slow by design: some 100 ms on a laptop, up to a second on an old phone. */
export async function stretch(passcode: string, salt: Bytes, rounds: number): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', new TextEncoder().encode(passcode), 'PBKDF2', false, [
    'deriveKey',
  ])
  const parameters = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds }
  return crypto.subtle.deriveKey(parameters, material, aes, false, ['wrapKey', 'unwrapKey'])
}

export async function wrapNewVaultKey(wrapping: CryptoKey): Promise<Sealed> {
  const key = await crypto.subtle.generateKey(aes, true, ['encrypt', 'decrypt'])
  return wrapVaultKey(wrapping, key)
}

export async function wrapVaultKey(wrapping: CryptoKey, key: CryptoKey): Promise<Sealed> {
  const iv = randomBytes(12)
  const data = await crypto.subtle.wrapKey('raw', key, wrapping, { name: 'AES-GCM', iv })
  return { iv: base64.encode(iv), data: base64.encode(new Uint8Array(data)) }
}

/** @throws WrongPasscode when `wrapping` came from another passcode. `extractable` only to wrap it again. */
export async function unwrapVaultKey(wrapping: CryptoKey, wrapped: Sealed, extractable = false): Promise<CryptoKey> {
  try {
    const algorithm = { name: 'AES-GCM', iv: toBytes(wrapped.iv) }
    const usages: KeyUsage[] = ['encrypt', 'decrypt']
    return await crypto.subtle.unwrapKey('raw', toBytes(wrapped.data), wrapping, algorithm, aes, extractable, usages)
  } catch (cause) {
    throw new WrongPasscode('The passcode does not open this vault.', { cause })
  }
}

/** `label` is authenticated with the data: sealed bytes moved under another label do not open. */
export async function seal(key: CryptoKey, bytes: Bytes, label: string): Promise<Sealed> {
  const iv = randomBytes(12)
  const data = await crypto.subtle.encrypt(withLabel(iv, label), key, bytes)
  return { iv: base64.encode(iv), data: base64.encode(new Uint8Array(data)) }
}

/** @throws VaultDamaged */
export async function unseal(key: CryptoKey, sealed: Sealed, label: string): Promise<Bytes> {
  try {
    const bytes = await crypto.subtle.decrypt(withLabel(toBytes(sealed.iv), label), key, toBytes(sealed.data))
    return new Uint8Array(bytes)
  } catch (cause) {
    throw new VaultDamaged(`The stored key of ${label} does not open.`, { cause })
  }
}

function withLabel(iv: Bytes, label: string) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(`atoll wallet 1 ${label}`) }
}
