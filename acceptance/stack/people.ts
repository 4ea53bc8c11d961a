import { randomBytes } from 'node:crypto'
import { activeLogin, login, openCode, SignedIn } from '@atoll/contract/accounts'
import {
  type ApiClient,
  createApiClient,
  createScriptedWallet,
  createSignInCode,
  type ScriptedWallet,
} from '@atoll/testkit'

export interface Person {
  wallet: ScriptedWallet
  /** `name@domain`; undefined when none was bound. */
  name: string | undefined
  session: SignedIn
  /** Signed in as this person. */
  api: ApiClient
}

let made = 0

/** A name nobody of this run has; letters and digits only (design/domains). */
export function freshName(): string {
  made += 1
  return `p${process.pid}n${made}@atoll.test`
}

/**
 * Someone with a registered DID, a bound ID (unless `name` is null) and a session at `origin`. `withNumber`: where a
 * wallet must say the number beside the code.
 */
export async function createPerson(
  origin: string,
  { name = freshName(), withNumber = false }: { name?: string | null; withNumber?: boolean } = {},
) {
  const wallet = createScriptedWallet()
  await wallet.register(origin)
  if (name !== null) {
    const answer = await wallet.bindName(origin, name)
    if (answer.code !== 0) throw new Error(`bind_name: ${answer.code} ${answer.message}`)
  }
  const session = await (withNumber ? signInWithNumber(origin, wallet) : wallet.signIn(origin))
  const api = createApiClient(origin, { userid: session.userid, token: session.token })
  return { wallet, name: name ?? undefined, session, api } satisfies Person
}

async function signInWithNumber(origin: string, wallet: ScriptedWallet): Promise<SignedIn> {
  const api = createApiClient(origin)
  const { secret, request } = createSignInCode(origin)
  const browser = randomBytes(32).toString('hex')
  const { matchNumber: match } = await api.ask(openCode, { secret, browser })
  await api.ask(login, wallet.approval(request, 'scan', {}, { match }))
  return SignedIn.parse(await api.ask(activeLogin, { secret, browser }))
}
