import { userClose, userClosing, userKeep } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { requireFreshSession } from '../../accounts/index.ts'
import { beginClosing, type ClosingDeps, describeClosing, keepAccount } from '../closing-service.ts'

/** Calls of an owner about the end of their account. */
export function closingRoutes(deps: ClosingDeps): Route[] {
  const { db } = deps
  return [
    implement(userClosing, (_, { account }) => describeClosing(deps, account.userid)),
    implement(userClose, async (_, { account: caller }) => {
      await requireFreshSession(deps, caller)
      const asked = { source: caller, ip: caller.ip }
      const until = await db.transaction().execute((trx) => beginClosing(deps, trx, caller.userid, asked))
      return { until: until.toISOString() }
    }),
    implement(userKeep, async (_, { account: caller }) => {
      const asked = { source: caller, ip: caller.ip }
      await db.transaction().execute((trx) => keepAccount(deps, trx, caller.userid, asked))
      return {}
    }),
  ]
}
