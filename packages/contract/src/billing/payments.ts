/** `/v1/bill/payment`: tries to pay invoices, also those that failed (spec §3, §7). Amounts are minor units. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { Currency, IsoTime } from '../wire/fields.ts'
import { ownersAlone } from '../wire/owners-alone.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { InvoiceId, inOrder, PaymentId, PaymentSplit, timeSpan } from './fields.ts'
import { PaymentAttempt } from './invoices.ts'
import { paymentKinds, paymentStates } from './kinds.ts'

export const PaymentRow = PaymentAttempt.extend({
  currency: Currency,
  invoiceId: InvoiceId,
  invoiceNumber: z.string(),
  /** The purpose of its invoice, in the caller's language. */
  summary: z.string(),
  /** Which try of its invoice it is, from 1. */
  attempt: z.int(),
})
export type PaymentRow = z.infer<typeof PaymentRow>

export const paymentPage = defineCall({
  name: 'paymentPage',
  path: '/v1/bill/payment/page',
  reach: 'self',
  reads: true,
  topics: ['billing'],
  summary: "The account's payments, also those that failed, the newest first.",
  body: inOrder(
    pageQuery({ kind: z.enum(paymentKinds).optional(), status: z.enum(paymentStates).optional(), ...timeSpan }),
  ),
  data: pageOf({ paymentInfo: z.array(PaymentRow) }),
})

export const paymentDetail = defineCall({
  name: 'paymentDetail',
  path: '/v1/bill/payment/detail',
  reach: 'private',
  reads: true,
  topics: ['billing'],
  summary: 'One payment: how it is split, every try of its invoice, and where the bank asks for approval.',
  body: z.strictObject({ paymentId: PaymentId }),
  data: PaymentRow.extend({
    split: PaymentSplit,
    /** Every try of its invoice, this one too, the first first. */
    attempts: z.array(PaymentAttempt),
    /** Where the customer approves it at the bank; only while it needs that. */
    actionUrl: ownersAlone(z.string().optional()),
    /** Until when its invoice can be paid. */
    validUntil: IsoTime.optional(),
    /** Of its invoice. */
    actions: z.array(z.enum(['pay', 'cancel'])),
  }),
})
