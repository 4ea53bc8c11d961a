/** Whether a credential was revoked, as its status list says (BitstringStatusList §3.2). */
import { verifyJws } from '@atoll/did'
import { z } from 'zod'
import { serverNow } from '../api/runtime-config.ts'
import type { HeldCredential } from './credential-store.ts'

const List = z.looseObject({
  id: z.string(),
  issuer: z.string(),
  validUntil: z.iso.datetime({ offset: true }),
  credentialSubject: z.looseObject({ statusPurpose: z.literal('revocation'), encodedList: z.string().startsWith('u') }),
})
const timeoutMs = 10_000

/**
 * Undefined: unknown, also if the list is not signed by the issuer of the credential, is another one, or is too old: a
 * man in the middle could let a revoked credential pass for a valid one.
 */
export async function isRevoked({ jws, statusList, statusIndex }: HeldCredential): Promise<boolean | undefined> {
  try {
    const response = await fetch(statusList, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { did: issuer } = await verifyJws(jws)
    const { payload } = await verifyJws(await response.text(), { did: issuer })
    const list = List.parse(payload)
    const isIts = list.id === statusList && list.issuer === issuer && Date.parse(list.validUntil) > serverNow()
    return isIts ? await readBit(list.credentialSubject.encodedList, statusIndex) : undefined
  } catch {
    return undefined
  }
}

/** `encoded`: multibase base64url of a gzipped bit string, whose first place is the highest bit of its first byte. */
export async function readBit(encoded: string, place: number): Promise<boolean> {
  const text = encoded.slice(1).replaceAll('-', '+').replaceAll('_', '/')
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  const bits = new Uint8Array(await new Response(plain).arrayBuffer())
  const byte = bits[place >> 3]
  if (byte === undefined) throw new Error('The list is shorter than the place.')
  return (byte & (0x80 >> (place & 7))) !== 0
}
