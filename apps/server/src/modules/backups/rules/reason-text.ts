import { Reason, reasonText } from '@atoll/contract/api'
import type { Locale } from '@atoll/contract/wire'

/** `reason` as a column keeps it. */
export function storeReason(reason: Reason): string {
  return JSON.stringify(reason)
}

/** What a column keeps, in words; of a reason that this version no longer knows nothing. */
export function describeReason(stored: string | null, locale: Locale): string | null {
  if (stored === null) return null
  const reason = Reason.safeParse(JSON.parse(stored))
  return reason.success ? reasonText(reason.data, locale) : null
}
