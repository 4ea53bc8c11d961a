/** Keys of this module's own field checks, each the message of a schema. */
export const paymentsFieldReasons = ['paymentMethodId', 'consolePage'] as const

export type PaymentsFieldReason = (typeof paymentsFieldReasons)[number]
