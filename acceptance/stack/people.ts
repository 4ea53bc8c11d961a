import type { SignedIn } from '@atoll/contract/accounts'
import { type ApiClient, createApiClient, createScriptedWallet, type ScriptedWallet } from '@atoll/testkit'

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

/** Someone with a registered DID, a bound ID (unless `name` is null) and a session at `origin`. */
export async function createPerson(origin: string, { name = freshName() }: { name?: string | null } = {}) {
  const wallet = createScriptedWallet()
  await wallet.register(origin)
  if (name !== null) {
    const answer = await wallet.bindName(origin, name)
    if (answer.code !== 0) throw new Error(`bind_name: ${answer.code} ${answer.message}`)
  }
  const session = await wallet.signIn(origin)
  const api = createApiClient(origin, { userid: session.userid, token: session.token })
  return { wallet, name: name ?? undefined, session, api } satisfies Person
}
