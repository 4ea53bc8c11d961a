import { sendSetEmailCode } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { type EmailDeps, sendEmailCode } from '../email/email-service.ts'

export function emailCodeSend(deps: EmailDeps): Route {
  return implement(sendSetEmailCode, ({ email }, { account, locale }) =>
    sendEmailCode(deps, account, { email, locale }),
  )
}
