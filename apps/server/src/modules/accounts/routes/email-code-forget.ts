import { emailCodeCancel } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { cancelEmailCode, type EmailDeps } from '../email/email-service.ts'

export function emailCodeForget(deps: EmailDeps): Route {
  return implement(emailCodeCancel, (_, { account }) => cancelEmailCode(deps, account.userid))
}
