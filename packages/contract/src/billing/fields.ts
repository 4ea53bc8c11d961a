/** Ids and figures that the calls about money share (spec §3; design/billing, "Documents"). */
import { z } from 'zod'
import { IsoTime } from '../wire/fields.ts'
import type { BillingFieldReason } from './field-reasons.ts'
import { meteredProducts } from './kinds.ts'

export const SubscriptionId = z.string().regex(/^sub_[a-z0-9]{8,40}$/, 'subscriptionId' satisfies BillingFieldReason)
/** The first ones begin with `iv_`, and are read for ever: bills, mails and addresses that were kept name them. */
export const InvoiceId = z.string().regex(/^(inv|iv)_[a-z0-9]{8,40}$/, 'invoiceId' satisfies BillingFieldReason)
export const PaymentId = z.string().regex(/^pay_[a-z0-9]{8,40}$/, 'paymentId' satisfies BillingFieldReason)

/** `Instance`: paid ahead, a plan too. The others are metered and billed afterwards. */
export const invoiceProducts = ['Instance', ...meteredProducts] as const
export type InvoiceProduct = (typeof invoiceProducts)[number]

/** How an invoice is paid, minor units; what is `toCard` holds what was rolled over before too. */
export const PaymentSplit = z.object({
  fromPromo: z.int(),
  fromBalance: z.int(),
  toCard: z.int(),
  /** Too little for a card: it stands on the next bill. */
  rolledOver: z.int(),
  /** The part of `toCard` that was rolled over before. */
  collected: z.int(),
})
export type PaymentSplit = z.infer<typeof PaymentSplit>

/** A span of the account's time: inclusive below, exclusive above. */
export const timeSpan = { from: IsoTime.optional(), to: IsoTime.optional() }

/** Refuses a span that ends before it begins, by the name of its end. */
export function inOrder<Body extends z.ZodType<{ from?: string | undefined; to?: string | undefined }>>(
  body: Body,
): Body {
  return body.refine(({ from, to }) => from === undefined || to === undefined || new Date(from) < new Date(to), {
    path: ['to'],
    error: 'laterThanFrom' satisfies BillingFieldReason,
  })
}
