import { login } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { approveSignIn, type SignInDeps } from '../sign-in-service.ts'

/** Both body shapes of the wire: what stands beside `jws` is an unsigned copy and is not read. */
export function signInApprove(deps: SignInDeps): Route {
  return implement(login, async ({ jws }, { locale, ip, browser }) => {
    await approveSignIn(deps, { jws, locale, ip, cookie: browser.id })
    return {}
  })
}
