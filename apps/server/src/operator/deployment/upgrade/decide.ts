/** Decisions of an upgrade, without side effects. */
import { createPublicKey, verify } from 'node:crypto'
import { isAtLeast } from '../../../platform/db/index.ts'

/** A version's report about the database before it runs there. */
export interface Outlook {
  /** Migrations that it would run; `oldestProgram`: from which version on programs may run after that. */
  pending: readonly { name: string; oldestProgram?: string | undefined }[]
  databaseBytes: number
}

/**
 * How an upgrade can be undone. `program`: the version before may run on the changed database. `copy`: only with a copy
 * of the database from before the upgrade, without later changes. `none`: only with a backup.
 */
export type WayBack = 'program' | 'copy' | 'none'

export interface Wanted {
  isBackedUp: boolean
  isCopied: boolean
  /** Going without a way back was asked for. */
  isOneWay: boolean
}

/** Whether to upgrade from version `from`; `refusal` says what to do instead. */
export function decideWayBack(
  from: string,
  { pending }: Pick<Outlook, 'pending'>,
  wanted: Wanted,
): { wayBack: WayBack } | { refusal: string } {
  const closing = pending.filter(({ oldestProgram }) => oldestProgram === undefined || !isAtLeast(from, oldestProgram))
  if (closing.length === 0) return { wayBack: 'program' }
  if (wanted.isCopied) return { wayBack: 'copy' }
  if (wanted.isOneWay && wanted.isBackedUp) return { wayBack: 'none' }
  return {
    refusal:
      `Version ${from} cannot run after ${closing.length} of its migrations, the first of them ${closing[0]?.name}: ` +
      'there would be no way back. Take a copy of the database with --copy, or go on a backup alone with --one-way.',
  }
}

/** Whether a release's file is what its maker signed. */
export type Verdict =
  | { name: 'signed' }
  /** Nothing to check it with. */
  | { name: 'unknown'; why: string }
  | { name: 'refused'; why: string }

/**
 * `publicKey`: of the installed version, as PEM, from another source than the file; `sums` and `signature`: SHA256SUMS
 * and SHA256SUMS.sig from beside the file; `sha256`: of its bytes, in hexadecimal.
 */
export function judgeFile({
  publicKey,
  sums,
  signature,
  name,
  sha256,
}: {
  publicKey: string | undefined
  sums: string | undefined
  signature: Uint8Array | undefined
  name: string
  sha256: string
}): Verdict {
  if (publicKey === undefined) {
    return { name: 'unknown', why: `NOT VERIFIED: the version in use is not signed, so nothing says who made ${name}.` }
  }
  if (sums === undefined || signature === undefined) {
    return {
      name: 'refused',
      why: `${name} is NOT SIGNED: SHA256SUMS and SHA256SUMS.sig of its release have to lie beside it.`,
    }
  }
  if (!verify(null, Buffer.from(sums), createPublicKey(publicKey), signature)) {
    return { name: 'refused', why: 'SHA256SUMS is not signed with the key of the version in use: something is wrong.' }
  }
  const isListed = sums.split('\n').includes(`${sha256}  ${name}`)
  if (!isListed) return { name: 'refused', why: `${name} is not the file that SHA256SUMS names.` }
  return { name: 'signed' }
}

/**
 * The maker of a version that apt laid out, as far as its files say: apt checks no signature of a release. `inUse` and
 * `next` are the public keys in the version in use and in that one.
 */
export function describeMaker(inUse: string | undefined, next: string | undefined): string {
  if (next === undefined) return 'NOT SIGNED: nothing says who made this version, and no agent installs its release.'
  if (inUse === undefined)
    return 'NOT VERIFIED: the version in use is not signed, so there is no key to verify this one with.'
  if (inUse !== next) return 'NOT VERIFIED: this version brings another key than that of the version in use.'
  return 'Not verified here: name the FILE of the package, and its signature is verified.'
}

/** So many looks in a row, one a second, at which a role is not ready: it is no hiccup. */
const mostMisses = 3

/** Whether a version fails that was looked at so often; `misses`: per look, what was not ready. */
export function findFailure(misses: readonly (string | undefined)[]): string | undefined {
  const last = misses.slice(-mostMisses)
  return last.length === mostMisses && last.every((miss) => miss !== undefined) ? last.at(-1) : undefined
}

/** Installed versions that are no longer needed. */
export function listNeedless(laidOut: readonly string[], kept: readonly (string | undefined)[]): string[] {
  return laidOut.filter((version) => !kept.includes(version))
}

/** Seconds that nobody reaches the database while it is copied: measured 1.7 s for 1.1 GB, and roles stop and start. */
export function estimateCopySeconds(databaseBytes: number): number {
  return Math.ceil(databaseBytes / 600e6) + 3
}
