/** Why an operation of any kind did not work out; `{said}` is what somebody else said, in their own words. */

export const wireReasons = ['late', 'said', 'unexpected', 'superseded', 'canceled'] as const
