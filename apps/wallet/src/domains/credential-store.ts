/** Credentials that this wallet holds. Readable on the device: each is of use to its own key alone. */
import { z } from 'zod'
import type { TextStorage } from '../keys/vault-file.ts'

export const HeldCredential = z.object({
  domain: z.string(),
  did: z.string(),
  jws: z.string().max(8192),
  /** When it was given, and until when it is good, ms. */
  at: z.number(),
  until: z.number(),
  /** The list that says whether it was revoked, and its place there. */
  statusList: z.string().max(500),
  statusIndex: z.number().int().nonnegative(),
})
export type HeldCredential = z.infer<typeof HeldCredential>

const storageKey = 'atoll_wallet_credentials'
const mostHeld = 100

export function listCredentials(storage: TextStorage): HeldCredential[] {
  try {
    return z.array(HeldCredential).parse(JSON.parse(storage.getItem(storageKey) ?? '[]'))
  } catch {
    return []
  }
}

const Claims = z.looseObject({
  exp: z.number(),
  vc: z.looseObject({
    credentialStatus: z.looseObject({ statusListCredential: z.string(), statusListIndex: z.string().regex(/^\d+$/) }),
  }),
})

/** Keeps an issued credential; the same again changes nothing. Anything else is not kept. */
export function keepCredential(
  storage: TextStorage,
  given: { domain: string; did: string; jws: string; at: number },
): void {
  const claims = Claims.safeParse(payloadOf(given.jws)).data
  if (!claims) return
  const { statusListCredential, statusListIndex } = claims.vc.credentialStatus
  const held: HeldCredential = {
    ...given,
    until: claims.exp * 1000,
    statusList: statusListCredential,
    statusIndex: Number(statusListIndex),
  }
  addCredentials(storage, [held])
}

export function addCredentials(storage: TextStorage, added: readonly HeldCredential[]): void {
  const others = listCredentials(storage).filter(({ jws }) => !added.some((one) => one.jws === jws))
  storage.setItem(storageKey, JSON.stringify([...added, ...others].slice(0, mostHeld)))
}

export function clearCredentials(storage: TextStorage): void {
  storage.removeItem(storageKey)
}

/** The payload of a compact JWS, unverified. */
export function payloadOf(jws: string): unknown {
  try {
    const text = (jws.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))))
  } catch {
    return undefined
  }
}
