/** Sends a signature to the site that asked for it. */
import { isForPrograms } from '@atoll/contract/api'
import type { SignRequest } from '@atoll/contract/identity'
import { z } from 'zod'
import { postJson } from '../api/post-json.ts'

const Answer = z.looseObject({ code: z.union([z.number(), z.string()]).optional(), message: z.string().optional() })

/**
 * `refused`: the site said no, in its own words if it had any for people. `unreachable`: nothing that answers was
 * there.
 */
export type Delivery = { kind: 'accepted' } | { kind: 'refused'; message: string } | { kind: 'unreachable' }

/**
 * Posts `{id, jws, did, ...sign_body}` (wire); of these the site trusts only what the JWS says. `isHere`: the code is
 * on a page of this very browser, which the site sees by its cookie.
 */
export async function deliverSignature(
  request: SignRequest,
  signature: { jws: string; did: string },
  isHere = false,
): Promise<Delivery> {
  const { id, sign } = request.message
  const answer = await postJson(sign.callback_url, { ...sign.sign_body, id, ...signature }, isHere ? 'include' : 'omit')
  if (answer.kind === 'unreachable') return answer
  const body = Answer.safeParse(answer.body).data
  // The product API says 200 in its envelope, the identity service 0, a personal server speaks by HTTP status.
  const accepted = answer.ok && (body?.code === undefined || body.code === 200 || body.code === 0)
  if (accepted) return { kind: 'accepted' }
  const message = body?.message ?? ''
  return { kind: 'refused', message: isForPrograms(message) ? '' : message }
}
