/** Every business constant of spec §9 and the wire constants of the sign-in code, once. */

/** Locales the product speaks; the first is the default (spec §9). */
export const locales = ['en-US', 'zh-CN'] as const
export type Locale = (typeof locales)[number]
export const defaultLocale: Locale = 'en-US'

/** How long a toast without an action stays, ms (spec §9). */
export const toastTimeoutMs = 1000
/** Time-out of a call to the identity service, ms (spec §9). */
export const identityTimeoutMs = 10_000
/** Rows per page when a paged call names none (spec §9). */
export const defaultRowsPerPage = 20
/** Days that a month counts in durations (spec §9). */
export const daysPerMonth = 30
/** Where shortened text is cut, characters before the mark that says so (spec §9). */
export const shortenLength = 30
export const shortenMark = '...'

/** Amounts are in minor units: cents of a dollar, fen of a yuan (spec §9). */
export const minorUnitsPerUnit = 100
export const moneyDecimals = 2
/** Money symbols by currency (spec §9). */
export const currencySymbols = { usd: '$', cny: '¥' } as const
export const currencies = Object.keys(currencySymbols) as [keyof typeof currencySymbols]
/** Stands for an amount whose currency is unknown (spec §9). */
export const unknownAmount = '-'

/** How far back measurements are shown, hours; the first is shown when none is named (spec §9). */
export const monitorRangeHours = { '12h': 12, '24h': 24, '3d': 72, '7d': 168 } as const
export type MonitorRange = keyof typeof monitorRangeHours
export const monitorRanges = Object.keys(monitorRangeHours) as [MonitorRange, ...MonitorRange[]]
export const defaultMonitorRange: MonitorRange = '12h'
/**
 * The time that one point of each range covers, ms: 240, 288, 288 and 252 points, never above 300 (design/usage,
 * "Monitor").
 */
export const monitorStepMs = { '12h': 180_000, '24h': 300_000, '3d': 900_000, '7d': 2_400_000 } as const

/** Browser storage keys and cookie name (spec §9). */
export const accountListKey = 'cloud_aList'
export const accountIndexKey = 'cloud_aIndex'
export const syncCookieName = 'syncToken'

/** How long a sign-in code can be used, ms (wire: "Login by QR"). */
export const signInCodeLifetimeMs = 120_000
/**
 * The same of a code that a wallet answers in the browser that shows it, ms: a newcomer sets that wallet up first, and
 * nobody elsewhere can use the code.
 */
export const ownBrowserCodeLifetimeMs = 15 * 60_000
/** The allowed difference between `time` in a signed body and the server's clock beyond the lifetime, ms (wire). */
export const clockSkewMs = 30_000
/** How often the console asks whether a code was approved, ms (wire). */
export const signInPollMs = 3000
/** Length of `secret` in hex characters (wire). */
export const signInSecretHexLength = 32

/** Names of clusters: 2 to 32 letters, digits, spaces or hyphens, starting with a letter or a digit. */
export const clusterNamePattern = /^[\p{L}\p{N}][\p{L}\p{N} -]{1,31}$/u

/** Shortens `text` to `length` characters and the mark; shorter text is left alone (spec §9). */
export function shorten(text: string, length: number = shortenLength): string {
  return text.length > length ? text.slice(0, length).toWellFormed() + shortenMark : text
}

/** A terminusName can be displayed only with exactly one '@' (spec §5). */
export function isDisplayableName(name: string | null | undefined): name is string {
  return typeof name === 'string' && name.split('@').length === 2
}

/** A person's display name: their ID, or without one that can be displayed their shortened userid (spec §3, §5). */
export function displayName(person: { terminusName?: string | null | undefined; userid: string }): string {
  return isDisplayableName(person.terminusName) ? person.terminusName : shorten(person.userid)
}
