import { userInfo } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { getUser } from '../account-service.ts'

export function userShow({ db, config }: { db: Db; config: { publicUrl: string } }): Route {
  return implement(userInfo, (_, { account }) => getUser(db, account.userid, config.publicUrl))
}
