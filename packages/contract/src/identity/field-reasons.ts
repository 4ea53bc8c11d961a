/** Keys of this module's own field checks, each the message of a schema. */
export const identityFieldReasons = ['scannedCode'] as const

export type IdentityFieldReason = (typeof identityFieldReasons)[number]
