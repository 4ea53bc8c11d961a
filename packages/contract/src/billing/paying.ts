/** Paying an invoice (spec §3, §7; design/billing, "Order and payment"). Amounts are minor units. */
import { z } from 'zod'
import { PaymentMethodId } from '../payments/payment-methods.ts'
import { defineCall } from '../wire/call.ts'
import { Currency, IsoTime, RequestId } from '../wire/fields.ts'
import { InvoiceId, PaymentId, PaymentSplit } from './fields.ts'
import { InvoiceItem } from './invoices.ts'
import { paymentStates } from './kinds.ts'

/** How a payment stands. */
export const PaymentAnswer = z.object({
  paid: z.boolean(),
  status: z.enum(paymentStates),
  paymentId: PaymentId,
  /** The invoice that it pays: an order that is paid late has a new invoice. */
  invoiceId: InvoiceId,
  /** Still under way: the topic `billing` publishes its end. */
  pending: z.boolean().optional(),
  /** Where the customer confirms it with their bank. */
  actionUrl: z.url().optional(),
  /** Why the card was not charged, in the caller's language. */
  reason: z.string().optional(),
})
export type PaymentAnswer = z.infer<typeof PaymentAnswer>

export const paymentPay = defineCall({
  name: 'paymentPay',
  path: '/v1/bill/payment/pay',
  reach: 'private',
  rate: 'change',
  topics: ['billing'],
  summary: 'Pays an invoice whole, by the card that is named or the default one. Waits up to 10 s for the outcome.',
  body: z.strictObject({
    invoiceId: InvoiceId,
    methodId: PaymentMethodId.optional(),
    requestId: RequestId.optional(),
  }),
  data: PaymentAnswer,
})

export const currentPaymentInfo = defineCall({
  name: 'currentPaymentInfo',
  path: '/v1/bill/currentPaymentInfo',
  reach: 'private',
  reads: true,
  topics: ['billing'],
  summary: 'The payment of an invoice as it would be now: amounts, lines and sources.',
  body: z.strictObject({ invoiceId: InvoiceId }),
  data: z.object({
    currency: Currency,
    amount: z.int(),
    invoiceItemsInfo: z.array(
      // As an item of the invoice itself has them (spec §3).
      InvoiceItem.omit({ of: true, instanceId: true, subscriptionId: true, explain: true }).extend({
        productName: z.string(),
      }),
    ),
    /** The subscription that the payment continues, and its end, in seconds; null for usage. */
    subscriptionUpdateInfo: z
      .object({
        subscriptionId: z.string(),
        kind: z.enum(['cluster', 'plan']),
        clusterId: z.string().nullable(),
        periodStart: z.int(),
        periodEnd: z.int(),
      })
      .nullable(),
    split: PaymentSplit,
    /** Until when it can be paid; null: it has no end. */
    validUntil: IsoTime.nullable(),
  }),
})
