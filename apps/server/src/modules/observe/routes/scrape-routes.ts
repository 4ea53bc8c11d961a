import { metricsTokenMake, metricsTokenRevoke, metricsTokenShow } from '@atoll/contract/observe'
import { implement, type Route } from '../../../http/route.ts'
import { makeToken, revokeToken, type ScrapeTokenDeps, showToken } from '../scrape/scrape-tokens.ts'

export function scrapeRoutes(deps: ScrapeTokenDeps): Route[] {
  return [
    implement(metricsTokenShow, (_, { account }) => showToken(deps, account.userid)),
    implement(metricsTokenMake, (_, { account }) => makeToken(deps, account)),
    implement(metricsTokenRevoke, async (_, { account }) => {
      await revokeToken(deps, account)
      return {}
    }),
  ]
}
