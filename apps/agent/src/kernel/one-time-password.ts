/**
 * The one-time password that opens the activation wizard. The console shows it, so it must be reported again after
 * every reconnect, and so the agent must be able to compute it until activation. It is therefore not stored, in plain
 * or hashed, but derived: HMAC-SHA-256 with the agent's token as key over a nonce made at hand-over. The disk holds no
 * password, a second derivation gives the same one, and removing the nonce at activation ends it for good. A reader of
 * the agent's token reads the drive anyway; and the password alone activates nothing: the owner's DID must sign as
 * well.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Crockford's base32: no I, L, O, U, which people misread. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 12 × 5 = 60 bits, behind limited tries. */
const length = 12

/** The nonce that the next one-time password is derived from. */
export function newNonce(): string {
  return randomBytes(16).toString('hex')
}

/** `7K3M-Q9TX-2BVD` */
export function deriveOneTimePassword(agentToken: string, nonce: string): string {
  const bytes = createHmac('sha256', agentToken).update(`one-time password ${nonce}`).digest()
  const characters = Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % 32])
  return characters.join('').replace(/.{4}(?=.)/g, '$&-')
}

/** Compares in constant time; case, spaces and hyphens do not matter, and I, L, O are read as 1, 1, 0. */
export function matchesOneTimePassword(typed: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(canonical(text)).digest()
  return timingSafeEqual(digest(typed), digest(expected))
}

function canonical(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/[IL]/g, '1')
    .replaceAll('O', '0')
}
