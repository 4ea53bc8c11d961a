/** Checks that what the wallet posted was signed by the owner's key (wire, "Login by QR", step 2). */
import { ActivationPayload, login } from '@atoll/contract/accounts'
import type { ErrorKey } from '@atoll/contract/api'
import { clockSkewMs } from '@atoll/contract/wire'
import type { z } from 'zod'

/** Not accepted, with the catalogue's key for the sentence that the wallet shows. */
export class ApprovalRefusal extends Error {
  readonly key: ErrorKey
  readonly params: Record<string, string | number>
  constructor(key: ErrorKey, params: Record<string, string | number> = {}) {
    super(`refused: ${key}`)
    this.name = 'ApprovalRefusal'
    this.key = key
    this.params = params
  }
}

/**
 * The owner's signature in `body` (`{id, jws, did, …}`). Only `jws` is read: the signer is the DID of `kid`, since in
 * one shape the DID that the code asks for takes the place of the signer's. Throws `ApprovalRefusal` for a body of
 * another shape, a bad signature, another DID, or times that are off. The caller checks that the code is ours, young
 * and unused.
 */
export async function verifyApproval(
  body: unknown,
  { ownerDid, now }: { ownerDid: string; now: number },
): Promise<z.infer<typeof ActivationPayload>> {
  const posted = login.body.safeParse(body)
  if (!posted.success) throw new ApprovalRefusal('jwsMalformed')
  // Loaded here: an agent starts quicker without the signature library, and needs it once in its life.
  const did = await import('@atoll/did')
  const faultKeys = {
    malformed: 'jwsMalformed',
    algorithm: 'jwsAlgorithm',
    signature: 'jwsSignature',
    issuer: 'jwsIssuer',
  } as const
  const verified = await did.verifyJws(posted.data.jws).catch((error: unknown) => {
    if (error instanceof did.JwsRefusal) throw new ApprovalRefusal(faultKeys[error.fault])
    throw error
  })
  const payload = ActivationPayload.safeParse(verified.payload)
  if (!payload.success) throw new ApprovalRefusal('jwsMalformed')
  if (verified.did !== ownerDid) throw new ApprovalRefusal('otherDidExpected', { did: ownerDid })
  if (payload.data.did !== undefined && did.didOfKeyId(payload.data.did) !== ownerDid)
    throw new ApprovalRefusal('otherDidExpected', { did: ownerDid })
  const times = did.checkTimes(payload.data, now)
  if (times?.fault === 'expired') throw new ApprovalRefusal('jwsExpired')
  if (times?.fault === 'early') throw new ApprovalRefusal('clockAhead', { minutes: times.minutes })
  if (payload.data.time > now + clockSkewMs)
    throw new ApprovalRefusal('codeFromFuture', { minutes: did.minutesBetween(now, payload.data.time) })
  return payload.data
}
