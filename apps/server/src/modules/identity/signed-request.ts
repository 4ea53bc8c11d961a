import type { ErrorKey } from '@atoll/contract/api'
import type { Locale } from '@atoll/contract/wire'
import { checkTimes, type JwsFault, type JwsPayload, JwsRefusal, verifyJws } from '@atoll/did'
import { z } from 'zod'
import { readParameters } from '../../platform/parameters.ts'
import { refuse } from '../../platform/refusal.ts'

const refusalOf: Record<JwsFault, ErrorKey> = {
  malformed: 'jwsMalformed',
  algorithm: 'jwsAlgorithm',
  signature: 'jwsSignature',
  issuer: 'jwsIssuer',
}

/** The claims every signed request may carry, in seconds (RFC 7519 §4.1). */
const Times = z.object({ nbf: z.number().optional(), iat: z.number().optional(), exp: z.number().optional() })

export interface SignedRequest {
  /** Whose key signed. */
  did: string
  /** The signed payload, no other part of the request; the caller checks its shape. */
  payload: JwsPayload
  /** The signature's protected header: signed too, and the wallet's own word alone. */
  header: Record<string, unknown>
}

/**
 * Verifies a signed request at `now`: signature, issuer, `nbf`, `iat` and `exp`. The signer is the DID that `kid`
 * names. Each fault is refused with its own entry of the error catalogue.
 */
export async function verifySignedRequest(jws: string, options: { now: Date; locale: Locale }): Promise<SignedRequest> {
  const { did, payload, header } = await verified(jws)
  const fault = checkTimes(readParameters(Times, payload, options.locale), options.now.getTime())
  if (fault?.fault === 'expired') refuse('jwsExpired')
  if (fault?.fault === 'early') refuse('clockAhead', { minutes: fault.minutes })
  return { did, payload, header }
}

async function verified(jws: string): Promise<SignedRequest> {
  try {
    return await verifyJws(jws)
  } catch (error) {
    if (error instanceof JwsRefusal) refuse(refusalOf[error.fault])
    throw error
  }
}
