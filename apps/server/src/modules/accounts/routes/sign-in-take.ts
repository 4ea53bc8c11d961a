import { activeLogin } from '@atoll/contract'
import { implement, type Route } from '../../../http/route.ts'
import { type SignInDeps, takeSignIn } from '../sign-in-service.ts'

export function signInTake(deps: SignInDeps): Route {
  return implement(activeLogin, async ({ secret }) => (await takeSignIn(deps, secret)) ?? {})
}
