/** Whether a credential was revoked, as its status list says (BitstringStatusList §3.2). */
import { z } from 'zod'
import type { HeldCredential } from './credential-store.ts'
import { payloadOf } from './credential-store.ts'

const List = z.looseObject({ credentialSubject: z.looseObject({ encodedList: z.string().startsWith('u') }) })
const timeoutMs = 10_000

/** Undefined: unknown. */
export async function isRevoked({ statusList, statusIndex }: HeldCredential): Promise<boolean | undefined> {
  try {
    const response = await fetch(statusList, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { encodedList } = List.parse(payloadOf(await response.text())).credentialSubject
    return await readBit(encodedList, statusIndex)
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
