import { randomBytes, randomUUID } from 'node:crypto'
import { login } from '@atoll/contract/accounts'
import { encodeSignRequest, type SignRequest } from '@atoll/contract/identity'

export interface SignInCode {
  /** The text of the QR. */
  text: string
  request: SignRequest
  /** The code's secret, which the console sends with `activeLogin`. */
  secret: string
}

interface SignInCodeOptions {
  /** Only this account may sign in. */
  did?: string
  /** When it was shown, ms; default now. */
  time?: number
  /** Default: the real one of `origin`. */
  callbackUrl?: string
}

/** A sign-in code as the console at `origin` makes it (wire, "Login by QR" 1). */
export function createSignInCode(origin: string, options: SignInCodeOptions = {}): SignInCode {
  const secret = randomBytes(16).toString('hex')
  const body = { ...(options.did && { did: options.did }), secret, time: options.time ?? Date.now() }
  const request: SignRequest = {
    topic: 'sign',
    event: 'login_cloud',
    message: {
      id: randomUUID(),
      data: body,
      sign: { callback_url: options.callbackUrl ?? `${origin}${login.path}`, sign_body: body },
    },
  }
  return { text: encodeSignRequest(request), request, secret }
}
