import { declineCode } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { declineSignIn, type SignInDeps } from '../sign-in-service.ts'

export function codeDecline(deps: SignInDeps): Route {
  return implement(declineCode, async (body) => {
    await declineSignIn(deps, body)
    return {}
  })
}
