/** Keys of this module's own field checks, each the message of a schema. */
export const billingFieldReasons = ['subscriptionId', 'invoiceId', 'paymentId', 'quantity', 'laterThanFrom'] as const

export type BillingFieldReason = (typeof billingFieldReasons)[number]
