import {
  balancePage,
  customerInfo,
  invoicesDetail,
  invoicesPage,
  paymentDetail,
  paymentPage,
  subscriptionsDetail,
  subscriptionsPage,
} from '@atoll/contract/billing'
import { implement, type Route } from '../../../http/route.ts'
import { pageBalance } from '../views/balance-service.ts'
import { getCustomerInfo } from '../views/customer-info.ts'
import { pageInvoices, showInvoice } from '../views/invoice-service.ts'
import { pagePayments, showPayment } from '../views/payment-service.ts'
import type { ReadDeps } from '../views/read-deps.ts'
import { pageSubscriptions, showSubscription } from '../views/subscription-service.ts'

/** Calls that show the caller's own money. */
export function billingReadRoutes(deps: ReadDeps): Route[] {
  return [
    implement(customerInfo, (_body, { account }) => getCustomerInfo(deps, account.userid)),
    implement(subscriptionsPage, (body, { account, locale }) => pageSubscriptions(deps, account.userid, body, locale)),
    implement(subscriptionsDetail, ({ subscriptionId }, { account, locale }) =>
      showSubscription(deps, account.userid, subscriptionId, locale),
    ),
    implement(invoicesPage, (body, { account, locale }) => pageInvoices(deps, account.userid, body, locale)),
    implement(invoicesDetail, ({ invoiceId }, { account, locale }) =>
      showInvoice(deps, account.userid, invoiceId, locale),
    ),
    implement(paymentPage, (body, { account, locale }) => pagePayments(deps, account.userid, body, locale)),
    implement(paymentDetail, ({ paymentId }, { account, locale }) =>
      showPayment(deps, account.userid, paymentId, locale),
    ),
    implement(balancePage, (body, { account, locale }) => pageBalance(deps, account.userid, body, locale)),
  ]
}
