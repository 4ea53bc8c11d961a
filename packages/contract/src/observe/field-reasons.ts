/** Keys of this module's own field checks, each the message of a schema. */
export const observeFieldReasons = ['alertLevel', 'alertNoLevel', 'alertClearBelow'] as const

export type ObserveFieldReason = (typeof observeFieldReasons)[number]
