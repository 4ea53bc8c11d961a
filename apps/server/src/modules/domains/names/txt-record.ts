/** The TXT record that proves a domain (design/domains, "Whose domain"). */
import { randomBytes } from 'node:crypto'
import { sha256Hex } from '../../../platform/crypto.ts'
import type { DomainName } from './domain-name.ts'

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'
const tokenLength = 26

/** A claim's own secret word: 130 random bits, base32. It is published, so it needs no sealing. */
export function newTxtToken(): string {
  return [...randomBytes(tokenLength)].map((byte) => base32.charAt(byte & 31)).join('')
}

/** The value of the record. */
export function txtValue(token: string): string {
  return `atoll-verify=${token}`
}

/**
 * Names at which the record counts, the one that is asked for first. It stands beside the delegation, which hides
 * whatever is below it; at an apex there is no beside.
 */
export function txtNames({ domain, isApex }: DomainName): [string, ...string[]] {
  const label = `_atoll-${sha256Hex(domain).slice(0, 8)}`
  const below = `${label}.${domain}`
  return isApex ? [below] : [`${label}.${domain.slice(domain.indexOf('.') + 1)}`, below]
}
