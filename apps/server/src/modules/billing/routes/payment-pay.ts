import { currentPaymentInfo, paymentPay } from '@atoll/contract/billing'
import { implement, type Route } from '../../../http/route.ts'
import type { AttemptDeps } from '../attempts/attempt-deps.ts'
import { pay } from '../attempts/pay-service.ts'
import { showPaymentInfo } from '../attempts/payment-info.ts'

export function paymentPayRoute(deps: AttemptDeps): Route {
  return implement(paymentPay, (body, { account, locale }) => pay(deps, account, body, locale))
}

export function currentPaymentInfoRoute(deps: AttemptDeps): Route {
  return implement(currentPaymentInfo, ({ invoiceId }, { account, locale }) =>
    showPaymentInfo(deps, account.userid, invoiceId, locale),
  )
}
