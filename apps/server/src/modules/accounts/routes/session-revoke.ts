import { sessionRevoke } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { revokeSession, type SessionDeps } from '../session-service.ts'

export function sessionRevokeOne(deps: SessionDeps): Route {
  return implement(sessionRevoke, async ({ id }, { account }) => {
    await revokeSession(deps, account, id)
    return {}
  })
}
