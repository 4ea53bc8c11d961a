/** Field shapes shared by calls. Form bodies carry text only, so numbers and booleans accept their text too. */
import { z } from 'zod'
import { currencies } from './constants.ts'
import type { WireFieldReason } from './field-reasons.ts'

/** An opaque id with its prefix, such as `cl_3kq…` (design/api). */
function prefixedId(prefix: 'cl' | 'in' | 'op' | 'ss', reason: WireFieldReason) {
  return z.string().regex(new RegExp(`^${prefix}_[a-z0-9]{8,40}$`), reason)
}
export const ClusterId = prefixedId('cl', 'clusterId')
export const InstanceId = prefixedId('in', 'instanceId')
export const OperationId = prefixedId('op', 'operationId')
export const SessionId = prefixedId('ss', 'sessionId')

/** An integer, or its decimal text. */
export const WireInt = z.union(
  [
    z.int(),
    z
      .string()
      .regex(/^-?\d{1,15}$/)
      .transform(Number),
  ],
  'wholeNumber' satisfies WireFieldReason,
)
/** true or false, or the words. */
export const WireBool = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')],
  'trueOrFalse' satisfies WireFieldReason,
)

/** A did:key of an Ed25519 key; its full check is the did package's. */
export const Did = z.string().regex(/^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/, 'did' satisfies WireFieldReason)
/** A DID, bare or as its own key id `did:key:z…#z…`: programs of the personal server write it either way. */
export const DidOrKeyId = z
  .string()
  .regex(/^did:key:(z6Mk[1-9A-HJ-NP-Za-km-z]{44})(#\1)?$/, 'did' satisfies WireFieldReason)
/** A compact JWS, three base64url parts; verification is the did package's. */
export const CompactJws = z
  .string()
  .max(8192)
  .regex(/^[\w-]+\.[\w-]+\.[\w-]*$/, 'jws' satisfies WireFieldReason)

export const Currency = z.enum(currencies)

/** Client-chosen idempotency key, kept 24 h (design/api). */
export const RequestId = z
  .string()
  .min(8)
  .max(64)
  .regex(/^[\w-]+$/, 'requestId' satisfies WireFieldReason)
/** The token of an estimate, to order or destroy at the figure that it showed. */
export const EstimateToken = z.string().min(1).max(4096)
/** Time in ms since the epoch. */
export const Millis = z.int().nonnegative()
/** ISO 8601 with offset. An offset may carry the last hours of 9999 into a year that no answer can name: UTC counts. */
export const IsoTime = z.iso.datetime({ offset: true }).refine((text) => {
  const year = new Date(text).getUTCFullYear()
  return !(year < 0 || year > 9999)
}, 'timeOutside' satisfies WireFieldReason)
