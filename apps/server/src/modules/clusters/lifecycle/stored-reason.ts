import { Reason } from '@atoll/contract/api'
import type { Locale } from '@atoll/contract/wire'
import { reasonText } from '@atoll/texts/reasons'

/** A driver's or an agent's own words may be long; so much of them is kept. */
const longestWords = 500

/** `reason` as a column keeps it. */
export function storeReason(reason: Reason | null): string | null {
  return reason && JSON.stringify(reason)
}

/** The reason that `storeReason` stored. One that this version of the server does not know is shown as stored. */
export function readReason(stored: string | null): Reason | null {
  if (stored === null) return null
  const parsed = Reason.safeParse(JSON.parse(stored))
  return parsed.success ? parsed.data : { key: 'said', params: { said: stored.slice(0, longestWords).toWellFormed() } }
}

/** The words for a person who reads `locale`. */
export function describeReason(stored: string | null, locale: Locale): string | null {
  const reason = readReason(stored)
  return reason && reasonText(reason, locale)
}

/**
 * Words of a driver or an agent as a parameter: bounded, and without the full stop that the sentence around them has.
 */
export function quote(words: string): string {
  return words.slice(0, longestWords).toWellFormed().replace(/\.+$/, '')
}
