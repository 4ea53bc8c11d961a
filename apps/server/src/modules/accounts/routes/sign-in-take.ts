import { activeLogin } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { type SignInDeps, takeSignIn } from '../sign-in-service.ts'

export function signInTake(deps: SignInDeps): Route {
  return implement(activeLogin, (body, { userAgent, ip, host, locale }) =>
    takeSignIn(deps, { ...body, userAgent, ip, host, locale }),
  )
}
