/**
 * The word by which an invited person takes their ID: 60 random bits, shown once, of which only a keyed hash is kept.
 */
import { randomBytes } from 'node:crypto'
import { oneTimePasswordLength } from '@atoll/contract/domains'
import type { Sealer } from '../../../platform/crypto.ts'

/** Without i, l, o and u, which are read wrongly from paper (Crockford). */
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

export function newOneTimePassword(): string {
  return [...randomBytes(oneTimePasswordLength)].map((byte) => letters.charAt(byte & 31)).join('')
}

/** As typed from a screen or from paper: blanks, hyphens and capital letters do not count. */
export function normalisePassword(typed: string): string {
  return typed.toLowerCase().replace(/[\s-]/g, '').replace(/[il]/g, '1').replace(/o/g, '0')
}

/** `id`: of the member, so that equal words have different hashes. */
export function hashPassword(sealer: Pick<Sealer, 'derive'>, id: number, password: string): string {
  return sealer.derive('one-time password', `${id} ${password}`)
}

export function isPassword(sealer: Pick<Sealer, 'accepts'>, row: { id: number; hash: string }, typed: string): boolean {
  return sealer.accepts('one-time password', `${row.id} ${normalisePassword(typed)}`, row.hash)
}
