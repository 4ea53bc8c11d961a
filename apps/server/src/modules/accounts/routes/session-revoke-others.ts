import { sessionRevokeAll } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { revokeOtherSessions, type SessionDeps } from '../session-service.ts'

export function sessionRevokeOthers(deps: SessionDeps): Route {
  return implement(sessionRevokeAll, async (_, { account }) => ({ revoked: await revokeOtherSessions(deps, account) }))
}
