/**
 * States and kinds of what the calls about money name (spec §3; design/billing, "Documents"). Lists alone, without a
 * schema: addresses are read by them before any page is fetched.
 */
export const subscriptionStates = ['unpaid', 'active', 'past_due', 'canceled', 'ended'] as const
export type SubscriptionState = (typeof subscriptionStates)[number]

export const invoiceKinds = ['order', 'plan', 'renewal', 'usage'] as const
/** `prepayment`: everything but `usage`; `postpayment`: usage. */
export const invoiceKindFilters = [...invoiceKinds, 'prepayment', 'postpayment'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]
export const invoiceStates = ['open', 'paid', 'void', 'uncollectible'] as const
export type InvoiceState = (typeof invoiceStates)[number]

export const balanceParts = ['balance', 'promo'] as const

export const paymentStates = [
  'created',
  'sending',
  'succeeded',
  'declined',
  'needs_action',
  'unknown',
  'canceled',
] as const
export type PaymentState = (typeof paymentStates)[number]
/** Means of payment: the balance (with promotional credit), or a card. */
export const paymentKinds = ['Balance', 'card'] as const
export type PaymentKind = (typeof paymentKinds)[number]

/** Products that are metered and charged above a plan's quota (spec §3). */
export const meteredProducts = ['cloud_storage', 'cloud_backup', 'cloud_traffic', 'cdn_traffic'] as const
