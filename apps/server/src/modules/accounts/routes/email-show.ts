import { emailShow } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { describeEmail, type EmailDeps } from '../email/email-service.ts'

export function emailBindingShow(deps: EmailDeps): Route {
  return implement(emailShow, (_, { account }) => describeEmail(deps, account.userid))
}
