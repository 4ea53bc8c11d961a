/** The identity service: code 0 is success; the resolver calls answer bare DID-resolution results (wire). */
import { z } from 'zod'
import { CompactJws, Did, Millis } from '../wire/fields.ts'
import type { IdentityFieldReason } from './field-reasons.ts'

/** `name@domain` that a person can bind: 2–63 lowercase letters and digits (design/domains). */
export const BindableName = z.string().regex(/^[a-z0-9]{2,63}@[a-z0-9.-]{1,190}$/)

export const JwsBody = z.looseObject({ jws: CompactJws })

/** Signed payload of `POST /create_local`. `did` carries its fragment: `did:key:z…#z…`. */
export const CreateLocalPayload = z.looseObject({ did: z.string().max(256) })

/**
 * Signed payload of `POST /bind_name`; `time` in ms, within 120 s. Every code that a wallet scans holds a `secret`, so
 * a payload with one was signed for something else, with a name slipped in: it binds nothing.
 */
export const BindNamePayload = z.looseObject({
  name: z.string().max(260),
  did: z.string().max(256),
  time: Millis,
  secret: z.undefined('scannedCode' satisfies IdentityFieldReason).optional(),
})

/** A DIF resolution result. */
export const ResolutionResult = z.object({
  didResolutionMetadata: z.looseObject({ contentType: z.string().optional(), error: z.string().optional() }),
  didDocument: z.looseObject({ id: Did }).nullable(),
  didDocumentMetadata: z.looseObject({}),
})
export type ResolutionResult = z.infer<typeof ResolutionResult>

/** A name as the identity service writes it: the `@` is a dot. */
export function dottedName(name: string): string {
  return name.replace('@', '.')
}
