import { firstStepsDismiss, firstStepsShow, passwordKept } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { describeFirstSteps, type NewsDeps, noteMark } from '../first-steps.ts'

export function newsRoutes(deps: NewsDeps): Route[] {
  return [
    implement(firstStepsShow, (_, { account }) => describeFirstSteps(deps, account.userid)),
    implement(firstStepsDismiss, async (_, { account }) => {
      await noteMark(deps, account.userid, 'stepsDismissed')
      return {}
    }),
    implement(passwordKept, async (_, { account }) => {
      await noteMark(deps, account.userid, 'passwordKept')
      return {}
    }),
  ]
}
