import { logout } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { endSession, type SessionDeps } from '../session-service.ts'

export function sessionEnd(deps: SessionDeps): Route {
  return implement(logout, async (_, { account }) => {
    await endSession(deps, account)
    return {}
  })
}
