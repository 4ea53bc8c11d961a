import { encodeSignRequest } from '@atoll/contract/identity'
import { signInSecretHexLength } from '@atoll/contract/wire'

export interface SignInCodeText {
  secret: string
  /** Kept by this page alone: with it, and only with it, the server hands out this code's session. */
  browser: string
  /** Text of the QR code. */
  text: string
  /** The account that alone may sign in with it. */
  did: string | undefined
  /** When it was made, by the server's clock, ms. */
  time: number
}

function randomHex(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length / 2))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * A fresh sign-in code (wire, "Login by QR"). `host` is where the wallet posts to, `did` the account that is asked for
 * when a known one signs in again, `time` the server's clock in ms: the wallet signs it, the server checks it.
 */
export function makeSignInCode(host: string, did: string | undefined, time: number): SignInCodeText {
  const secret = randomHex(signInSecretHexLength)
  const body = { ...(did && { did }), secret, time: Math.round(time) }
  const text = encodeSignRequest({
    topic: 'sign',
    event: 'login_cloud',
    message: {
      // Redundant fields are left out: each character makes the code denser and harder to scan.
      id: randomHex(8),
      data: body,
      sign: { callback_url: `${host}/v2/user/login`, sign_body: body },
    },
  })
  return { secret, browser: randomHex(64), text, did, time: body.time }
}
