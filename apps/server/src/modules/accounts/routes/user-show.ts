import { userInfo } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { getUser, type UserDeps } from '../account-service.ts'

export function userShow(deps: UserDeps & { db: Db }): Route {
  return implement(userInfo, (_, { account }) => getUser(deps, deps.db, account.userid))
}
