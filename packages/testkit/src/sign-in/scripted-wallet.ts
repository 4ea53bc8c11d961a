/**
 * A LarePass-shaped wallet without a screen: same keys, same messages, same two body shapes (wire, "Login by QR").
 */
import { activeLogin, SignedIn, type SignedIn as SignedInAccount } from '@atoll/contract/accounts'
import { decodeSignRequest, type SignRequest } from '@atoll/contract/identity'
import type { Envelope } from '@atoll/contract/wire'
import { generateMnemonic, type Identity, identityFromMnemonic } from '@atoll/did'
import { createApiClient } from '../api-client.ts'
import { composeJws, ed25519 } from './compact-jws.ts'
import { createSignInCode } from './sign-in-code.ts'

/**
 * `scan`: the body's fields lie flat beside `jws`, and its `did`, whom the code asks for, over the signer's.
 * `linking`: they lie under `body`.
 */
export type LoginShape = 'scan' | 'linking'

export interface ScriptedWallet {
  readonly mnemonic: string
  readonly did: string
  /** `did#fragment` */
  readonly kid: string
  readonly identity: Identity
  /** A compact JWS of `payload` by this wallet's key. */
  sign(payload: object, header?: object): string
  /** `POST /create_local`; throws unless the code is 0. */
  register(origin: string): Promise<void>
  /** `POST /bind_name` for a name such as `reef@atoll.test`; the bare answer. */
  bindName(origin: string, name: string, time?: number): Promise<Envelope<unknown>>
  /** Reads a QR's text; throws if it is not a sign request. */
  read(text: string): SignRequest
  /** The body that approves `request`. `claims` replaces signed claims, `header` adds to the signature's header. */
  approval(request: SignRequest, shape?: LoginShape, claims?: object, header?: object): LoginBody
  /** Signs and posts to the request's `callback_url`. */
  approve(request: SignRequest, shape?: LoginShape): Promise<Envelope<unknown>>
  /** Plays both sides of a sign-in at `origin`. Throws when either is refused. */
  signIn(origin: string, shape?: LoginShape): Promise<SignedInAccount>
}

export type LoginBody = { id: string; jws: string; did: string } & Record<string, unknown>

/** With the words given, or new ones. */
export function createScriptedWallet({ mnemonic = generateMnemonic() }: { mnemonic?: string } = {}): ScriptedWallet {
  const identity = identityFromMnemonic(mnemonic)
  const { did, kid } = identity
  const signature = ed25519(identity)
  const sign: ScriptedWallet['sign'] = (payload, header) =>
    composeJws({ alg: 'EdDSA', kid, ...header }, payload, signature)

  const approval: ScriptedWallet['approval'] = (request, shape = 'scan', claims, header) => {
    const body = request.message.sign.sign_body
    const jws = sign({ ...body, ...signedTimes(Date.now()), iss: kid, ...claims }, header)
    const common = { id: request.message.id, jws, did }
    return shape === 'scan' ? { ...common, ...body, did: body.did ?? did } : { ...common, body }
  }
  const approve: ScriptedWallet['approve'] = (request, shape) =>
    postJson(request.message.sign.callback_url, approval(request, shape))

  return {
    mnemonic,
    did,
    kid,
    identity,
    sign,
    approval,
    approve,
    async register(origin) {
      const answer = await postJson(`${origin}/create_local`, { jws: sign({ did: kid }) })
      if (answer.code !== 0) throw new Error(`create_local: ${answer.code} ${answer.message}`)
    },
    bindName: (origin, name, time = Date.now()) =>
      postJson(`${origin}/bind_name`, { jws: sign({ name, did: kid, time }) }),
    read(text) {
      const request = decodeSignRequest(text)
      if (!request) throw new Error('the text is not a sign request')
      return request
    },
    async signIn(origin, shape) {
      const code = createSignInCode(origin)
      const answer = await approve(code.request, shape)
      if (answer.code !== 200) throw new Error(`login: ${answer.code} ${answer.message}`)
      return SignedIn.parse(await createApiClient(origin).ask(activeLogin, { secret: code.secret }))
    },
  }
}

/** `nbf` now and `exp` in 365 days, in seconds, as LarePass signs them. */
export function signedTimes(now: number): { nbf: number; exp: number } {
  const seconds = Math.floor(now / 1000)
  return { nbf: seconds, exp: seconds + 365 * 24 * 3600 }
}

/** Posts JSON and gives the envelope, whatever its code; throws when the answer is not one. */
export async function postJson(url: string, body: unknown): Promise<Envelope<unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const answer = response.ok || response.status < 500 ? parseJson(text) : undefined
  if (typeof answer !== 'object' || answer === null || !('code' in answer)) {
    throw new Error(`${url}: HTTP ${response.status} ${text.slice(0, 500)}`)
  }
  return answer as Envelope<unknown>
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the caller reports the text itself
  }
}
