import { emailRemove } from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { type EmailDeps, removeEmail } from '../email/email-service.ts'

export function emailUnbind(deps: EmailDeps): Route {
  return implement(emailRemove, (_, { account, locale }) => removeEmail(deps, account, locale))
}
