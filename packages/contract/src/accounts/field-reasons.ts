/** Keys of this module's own field checks, each the message of a schema. */
export const accountsFieldReasons = ['signInSecret', 'browserKey', 'twoDigits'] as const

export type AccountsFieldReason = (typeof accountsFieldReasons)[number]
