import { sessionList } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { describeSessions, type SessionDeps } from '../session-service.ts'

export function sessionShow(deps: SessionDeps): Route {
  return implement(sessionList, (_, { account }) => describeSessions(deps, account))
}
