import { logout, sessionList, sessionRevoke, sessionRevokeAll } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import {
  describeSessions,
  endSession,
  revokeOtherSessions,
  revokeSession,
  type SessionDeps,
} from '../session-service.ts'

/** Calls about the caller's sessions. */
export function sessionRoutes(deps: SessionDeps): Route[] {
  return [
    implement(logout, async (_, { account }) => {
      await endSession(deps, account)
      return {}
    }),
    implement(sessionList, (_, { account }) => describeSessions(deps, account)),
    implement(sessionRevoke, async ({ id }, { account }) => {
      await revokeSession(deps, account, id)
      return {}
    }),
    implement(sessionRevokeAll, async (_, { account }) => ({ revoked: await revokeOtherSessions(deps, account) })),
  ]
}
