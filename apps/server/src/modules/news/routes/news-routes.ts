import { firstStepsDismiss, firstStepsShow, newsList, newsRead, passwordKept } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { describeFirstSteps, type NewsDeps } from '../first-steps.ts'
import { noteMark } from '../mark-store.ts'
import { describeNews, markRead } from '../news-service.ts'

export function newsRoutes(deps: NewsDeps): Route[] {
  return [
    implement(newsList, (_, { account }) => describeNews(deps, account.userid)),
    implement(newsRead, async ({ upTo }, { account }) => {
      await markRead(deps, account.userid, new Date(upTo))
      return {}
    }),
    implement(firstStepsShow, (_, { account }) => describeFirstSteps(deps, account.userid)),
    implement(firstStepsDismiss, async (_, { account }) => {
      await noteMark(deps, account.userid, 'stepsDismissed', deps.clock.now())
      return {}
    }),
    implement(passwordKept, async (_, { account }) => {
      await noteMark(deps, account.userid, 'passwordKept', deps.clock.now())
      return {}
    }),
  ]
}
