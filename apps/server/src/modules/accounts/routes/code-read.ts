import { readCode } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { readSignIn, type SignInDeps } from '../sign-in-service.ts'

export function codeRead(deps: SignInDeps): Route {
  return implement(readCode, async ({ secret }, { browser }) => ({
    here: await readSignIn(deps, { secret, cookie: browser.id }),
  }))
}
