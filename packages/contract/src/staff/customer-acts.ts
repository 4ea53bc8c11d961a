/** Acts of operators on a customer that need no approval: recorded, with what was before. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { Currency, RequestId, WireInt } from '../wire/fields.ts'
import { AccountId, ActReason } from './approvals.ts'
import { byOperatorOnCustomer } from './who-calls.ts'

const asked = { accountId: AccountId, reason: ActReason, requestId: RequestId.optional() }

export const customerQuota = defineCall({
  name: 'customerQuota',
  path: '/v1/operator/customers/quota',
  ...byOperatorOnCustomer,
  summary: 'Grants vCPU, where that is more than the plan includes; 0 takes the grant back.',
  body: z.strictObject({ ...asked, vCpu: WireInt.pipe(z.int().min(0).max(1_000_000)) }),
})

export const customerCoupon = defineCall({
  name: 'customerCoupon',
  path: '/v1/operator/customers/coupon',
  ...byOperatorOnCustomer,
  summary: 'Redeems a coupon for a customer.',
  body: z.strictObject({ ...asked, code: z.string().trim().min(1).max(64) }),
})

export const customerCurrency = defineCall({
  name: 'customerCurrency',
  path: '/v1/operator/customers/currency',
  ...byOperatorOnCustomer,
  summary: 'Corrects what a customer pays in, before the first bill or credit.',
  body: z.strictObject({ ...asked, currency: Currency }),
})

export const customerEmailReset = defineCall({
  name: 'customerEmailReset',
  path: '/v1/operator/customers/email-reset',
  ...byOperatorOnCustomer,
  summary: 'Unlinks the email of a customer who cannot get at it; the old address is told.',
  body: z.strictObject(asked),
})

export const customerSignOut = defineCall({
  name: 'customerSignOut',
  path: '/v1/operator/customers/sign-out',
  ...byOperatorOnCustomer,
  summary: 'Ends every session of a customer.',
  body: z.strictObject(asked),
})

export const customerMail = defineCall({
  name: 'customerMail',
  path: '/v1/operator/customers/mail',
  ...byOperatorOnCustomer,
  summary: 'Sends a mail to a customer.',
  body: z.strictObject({
    accountId: AccountId,
    subject: z.string().trim().min(3).max(200),
    text: z.string().trim().min(4).max(10_000),
    requestId: RequestId.optional(),
  }),
})
