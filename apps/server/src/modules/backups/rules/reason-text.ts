import { Reason } from '@atoll/contract/api'
import type { Locale } from '@atoll/contract/wire'
import { reasonText } from '@atoll/texts/reasons'

/** `reason` as a column keeps it. */
export function storeReason(reason: Reason): string {
  return JSON.stringify(reason)
}

/** The text of a stored reason; null for one that this version does not know. */
export function describeReason(stored: string | null, locale: Locale): string | null {
  if (stored === null) return null
  const reason = Reason.safeParse(JSON.parse(stored))
  return reason.success ? reasonText(reason.data, locale) : null
}
