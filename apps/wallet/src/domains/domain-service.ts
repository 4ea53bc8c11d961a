/**
 * The product API as this wallet uses it for custom domains. The wallet links itself (wire, "Login by QR": device
 * linking): it signs a sign-in that no screen shows. The session is kept by this page alone and dies with it.
 */
import { activeLogin, login, openCode, SignedIn } from '@atoll/contract/accounts'
import type { Call, CallData } from '@atoll/contract/wire'
import { base16 } from '@scure/base'
import { z } from 'zod'
import { type Outcome, readOutcome } from '../api/identity-service.ts'
import { type Answer, getJson, postJson } from '../api/post-json.ts'
import { identityHost } from '../api/runtime-config.ts'
import type { Keychain } from '../keys/keychain.ts'

const validitySeconds = 365 * 24 * 3600

/** The statement that is signed to link this wallet; fixed when it is shown. */
export interface Linking {
  /** `match`: the number of the code, which this wallet opened itself; some deployments take none without. */
  header: { aud: string; match: string }
  payload: { secret: string; time: number; iss: string; nbf: number; exp: number }
  /** A holder of it takes the session: it stays in this page. */
  browser: string
}

/** Opens a sign-in of this page's own. `time`: ms by the server's clock. */
export async function openLinking(kid: string, time: number): Promise<Outcome<Linking>> {
  const nbf = Math.floor(time / 1000)
  const [secret, browser] = [randomHex(16), randomHex(32)]
  const opened = readProduct(await postJson(identityHost() + openCode.path, { secret, browser }), openCode.data)
  if (opened.kind !== 'ok') return opened
  return {
    kind: 'ok',
    data: {
      header: { aud: new URL(identityHost()).origin, match: opened.data.matchNumber },
      payload: { secret, time, iss: kid, nbf, exp: nbf + validitySeconds },
      browser,
    },
  }
}

/** Signs in as `did`; the token is good until the session ends. */
export async function linkWallet(
  keychain: Keychain,
  did: string,
  { header, payload, browser }: Linking,
): Promise<Outcome<SignedIn>> {
  const jws = await keychain.sign(did, payload, header)
  const { secret, time } = payload
  const posted = await postJson(identityHost() + login.path, { id: 'link', jws, did, body: { secret, time } })
  const accepted = readProduct(posted, z.unknown())
  if (accepted.kind !== 'ok') return accepted
  return readProduct(await postJson(identityHost() + activeLogin.path, { secret, browser }), SignedIn)
}

function randomHex(bytes: number): string {
  return base16.encode(crypto.getRandomValues(new Uint8Array(bytes))).toLowerCase()
}

/** Calls with the signed-in session. */
export async function askAs<C extends Call>(session: SignedIn, call: C, body: object): Promise<Outcome<CallData<C>>> {
  const { userid, token } = session
  // The schema of the call is what its data is.
  return readProduct(
    await postJson(identityHost() + call.path, { ...body, userid, token }),
    call.data as z.ZodType<CallData<C>>,
  )
}

/** A form that the credential service publishes. */
export async function readForm<T>(path: string, shape: z.ZodType<T>): Promise<Outcome<T>> {
  return readOutcome(await getJson(identityHost() + path), shape)
}

/** Takes an ID under somebody's domain with a one-time password. */
export async function joinOrganization(jws: string): Promise<Outcome<{ terminus_name: string }>> {
  const answer = await postJson(`${identityHost()}/join_organization`, { jws })
  return readOutcome(answer, z.object({ terminus_name: z.string().max(260) }))
}

function readProduct<T>(answer: Answer, data: z.ZodType<T>): Outcome<T> {
  return readOutcome(answer, data, 200)
}
