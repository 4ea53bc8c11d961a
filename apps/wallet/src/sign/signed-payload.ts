/** Exactly what is signed for a sign request (wire, "Login by QR" 2). The approval screen shows these same objects. */
import type { LoginHeader } from '@atoll/contract/accounts'
import type { SignRequest } from '@atoll/contract/identity'

/** How long the signature itself stays valid, seconds: the wire says 365 days. */
const validitySeconds = 365 * 24 * 3600

/** `kid` is `did#fragment`; `now` in ms. The code's own `iss`, `nbf` and `exp` do not count. */
export function buildSignedPayload(request: SignRequest, kid: string, now: number) {
  const nbf = Math.floor(now / 1000)
  return { ...request.message.sign.sign_body, iss: kid, nbf, exp: nbf + validitySeconds }
}

/**
 * The wallet's own facts about a sign-in, in the signature's header, where nothing comes from the code: the audience of
 * the signature, and the number its owner typed.
 */
export function buildSignedHeader(
  request: SignRequest,
  number: string | undefined,
): LoginHeader & Record<string, string> {
  if (request.event !== 'login_cloud') return {}
  const { origin } = new URL(request.message.sign.callback_url)
  return { aud: origin, ...(number && { match: number }) }
}
