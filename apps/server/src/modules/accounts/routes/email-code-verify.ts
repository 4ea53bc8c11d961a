import { verifyBindEmail } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { type EmailDeps, verifyEmailCode } from '../email/email-service.ts'

export function emailCodeVerify(deps: EmailDeps): Route {
  return implement(verifyBindEmail, (body, { account, locale }) => verifyEmailCode(deps, account, { ...body, locale }))
}
