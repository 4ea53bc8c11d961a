/**
 * This wallet's signatures and refusals, newest first. Not secret; a missing or broken log only costs the memory of
 * hosts.
 */
import { z } from 'zod'
import type { TextStorage } from '../keys/vault-file.ts'

const signatureKinds = [
  'signedIn',
  'activated',
  'registered',
  'bound',
  'applied',
  'presented',
  'handedOn',
  'joined',
  'declinedSignIn',
  'declinedActivation',
  'approvedAct',
  'declinedAct',
] as const
export type SignatureKind = (typeof signatureKinds)[number]

export const LogEntry = z.object({ at: z.number(), kind: z.enum(signatureKinds), host: z.string(), did: z.string() })
export type LogEntry = z.infer<typeof LogEntry>

const storageKey = 'atoll_wallet_signatures'
/** Entries kept; the count of sign-ins at a host is right up to here, which is past caring. */
const limit = 300

export function listSignatures(storage: TextStorage): LogEntry[] {
  try {
    return z.array(LogEntry).parse(JSON.parse(storage.getItem(storageKey) ?? '[]'))
  } catch {
    return []
  }
}

export function recordSignature(storage: TextStorage, entry: LogEntry): void {
  storage.setItem(storageKey, JSON.stringify([entry, ...listSignatures(storage)].slice(0, limit)))
}

/** Takes over the log of this wallet at another origin; the same again changes nothing. */
export function addSignatures(storage: TextStorage, added: readonly LogEntry[]): void {
  const known = new Set(listSignatures(storage).map((entry) => JSON.stringify(entry)))
  const entries = [...listSignatures(storage), ...added.filter((entry) => !known.has(JSON.stringify(entry)))]
  storage.setItem(storageKey, JSON.stringify(entries.toSorted((a, b) => b.at - a.at).slice(0, limit)))
}

export function clearSignatures(storage: TextStorage): void {
  storage.removeItem(storageKey)
}

/** How often this wallet signed something of this kind for `host` before. */
export function countSignatures(storage: TextStorage, host: string, kind: SignatureKind): number {
  return listSignatures(storage).filter((entry) => entry.host === host && entry.kind === kind).length
}

/** Forgets what `did` signed, when the identity itself is deleted. */
export function forgetSignatures(storage: TextStorage, did: string): void {
  storage.setItem(storageKey, JSON.stringify(listSignatures(storage).filter((entry) => entry.did !== did)))
}
