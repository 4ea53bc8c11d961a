import type { SignedIn } from '@atoll/contract/accounts'
import { type ApiClient, createApiClient, createScriptedWallet } from '@atoll/testkit'

/** A new person at `origin` with the ID `<name>@atoll.test`, signed in. */
export async function signUp(origin: string, name: string): Promise<{ api: ApiClient; session: SignedIn }> {
  const wallet = createScriptedWallet()
  await wallet.register(origin)
  const bound = await wallet.bindName(origin, `${name}@atoll.test`)
  if (bound.code !== 0) throw new Error(`bind_name: ${bound.message}`)
  const session = await wallet.signIn(origin)
  return { session, api: createApiClient(origin, { userid: session.userid, token: session.token }) }
}
