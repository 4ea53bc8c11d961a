/** `/v1/bill/invoices`: what was charged, and why (spec §3, §7). Amounts are minor units. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { Currency, InstanceId, IsoTime } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { Explain } from './explain.ts'
import { InvoiceId, inOrder, invoiceProducts, PaymentId, PaymentSplit, SubscriptionId, timeSpan } from './fields.ts'
import { invoiceKindFilters, invoiceKinds, invoiceStates, paymentKinds, paymentStates } from './kinds.ts'

export const InvoiceRow = z.object({
  invoiceId: InvoiceId,
  /** As it is printed: `ATL-7K3QD-0010`. */
  number: z.string(),
  createAt: IsoTime,
  kind: z.enum(invoiceKinds),
  /** The purpose of the invoice, in the caller's language. */
  summary: z.string(),
  status: z.enum(invoiceStates),
  /** After the discount. */
  amount: z.int(),
  currency: Currency,
  /** Seconds: from the first to the last time that is charged. */
  periodStart: z.int(),
  periodEnd: z.int(),
  /** Of an order: it is void if it is not paid by then. */
  validUntil: IsoTime.optional(),
  /** Empty while it is not paid, and where nothing was asked for. */
  paidBy: z.array(z.enum(paymentKinds)),
  /** The newest try to pay it: the one that did, of one that is paid. */
  payment: PaymentSplit.extend({
    paymentId: PaymentId,
    status: z.enum(paymentStates),
    cardBrand: z.string().optional(),
    cardLast4: z.string().optional(),
  }).optional(),
})
export type InvoiceRow = z.infer<typeof InvoiceRow>

const filters = { kind: z.enum(invoiceKindFilters).optional(), status: z.enum(invoiceStates).optional(), ...timeSpan }
export const InvoiceFilter = inOrder(z.strictObject(filters))
export type InvoiceFilter = z.infer<typeof InvoiceFilter>

export const invoicesPage = defineCall({
  name: 'invoicesPage',
  path: '/v1/bill/invoices/page',
  reach: 'self',
  reads: true,
  topics: ['billing'],
  summary: "The account's invoices, the newest first. from and to are about when they were issued.",
  body: inOrder(pageQuery(filters)),
  data: pageOf({
    invoices: z.array(InvoiceRow),
    /** The sum of unpaid invoices, regardless of the filters. */
    toPay: z.object({ count: z.int(), amount: z.int(), currency: Currency }),
  }),
})

/** The same as CSV, streamed: POST with the fields of `InvoiceFilter`; a refusal is an envelope in JSON. */
export const invoicesExportPath = '/v1/bill/invoices/export'
/** One as a PDF: GET, with `?lang=en-US` or `zh-CN`; a refusal is an envelope in JSON. */
export const invoiceFilesPath = '/v1/bill/invoices'
export const invoicePdfPath = (invoiceId: string): string => `${invoiceFilesPath}/${invoiceId}.pdf`

export const InvoiceItem = z.object({
  productType: z.enum(invoiceProducts),
  /** Before the discount. */
  amount: z.int(),
  discount: z.int(),
  quantity: z.int(),
  priceInfo: z.object({
    productName: z.string(),
    /** A month; of usage: 0, its rates are in `explain`. */
    amount: z.int(),
  }),
  /** Whose it is: the cluster's name and which instance, in words; absent for a plan and usage. */
  of: z.string().optional(),
  /** The instance that it is charged for; absent for a plan and usage. */
  instanceId: InstanceId.optional(),
  subscriptionId: SubscriptionId,
  /** Seconds. */
  periodStart: z.int(),
  periodEnd: z.int(),
  /** Whether it is less than a whole month. */
  proration: z.boolean(),
  explain: Explain,
  /** The same in words with its figures, a sentence a step, in the caller's language. */
  formula: z.array(z.string()),
  /** The figures of the sentence that is used − included = above × rate, of usage that one plan and one rate priced. */
  sum: z
    .object({ used: z.string(), included: z.string(), above: z.string(), rate: z.string(), amount: z.string() })
    /** By whose name it is included. */
    .extend({ plan: z.string().optional() })
    .optional(),
})
export type InvoiceItem = z.infer<typeof InvoiceItem>

/** A try to pay an invoice. */
export const PaymentAttempt = z.object({
  paymentId: PaymentId,
  createAt: IsoTime,
  endAt: IsoTime.optional(),
  kind: z.enum(paymentKinds),
  status: z.enum(paymentStates),
  /** The amount taken: `fromPromo`, `fromBalance` and `toCard`. */
  amount: z.int(),
  /** The part that the card is charged. */
  toCard: z.int(),
  cardBrand: z.string().optional(),
  cardLast4: z.string().optional(),
  /** Why it was declined, or how its bank disputes it, in the caller's language. */
  reason: z.string().optional(),
})
export type PaymentAttempt = z.infer<typeof PaymentAttempt>

export const CreditNote = z.object({
  creditNoteId: z.string(),
  createAt: IsoTime,
  toBalance: z.int(),
  toPromo: z.int(),
  /** Off what is still to be paid. */
  offInvoice: z.int(),
  /** Why, in the caller's language; absent on those from before it was written down. */
  reason: z.string().optional(),
  items: z.array(z.object({ line: z.int(), amount: z.int(), discount: z.int() })),
})
export type CreditNote = z.infer<typeof CreditNote>

/** A charge at a time or, if it `goesOn`, in each month from then on; `code`: the coupon that reduces it. */
export const MonthAhead = z.object({
  at: IsoTime,
  amount: z.int(),
  code: z.string().optional(),
  goesOn: z.boolean(),
})
export type MonthAhead = z.infer<typeof MonthAhead>

export const invoicesDetail = defineCall({
  name: 'invoicesDetail',
  path: '/v1/bill/invoices/detail',
  reach: 'private',
  reads: true,
  topics: ['billing'],
  summary: 'One invoice: its items with how each figure came to be, tries to pay it, and what was given back.',
  body: z.strictObject({ invoiceId: InvoiceId }),
  data: InvoiceRow.extend({
    items: z.array(InvoiceItem.extend({ line: z.int() })),
    /** Sum of the items' amounts. */
    gross: z.int(),
    discount: z.int(),
    /** The coupon that takes it. */
    coupon: z.string().optional(),
    closeAt: IsoTime.optional(),
    /** The first try first. */
    payments: z.array(PaymentAttempt),
    creditNotes: z.array(CreditNote),
    /** Of an order: what it goes on to cost. */
    ahead: z.array(MonthAhead).optional(),
    actions: z.array(z.enum(['pay', 'cancel'])),
  }),
})
