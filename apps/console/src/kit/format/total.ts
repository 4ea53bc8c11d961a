import { type Locale, unknownAmount, unreadableRows } from '@atoll/contract/wire'
import { formatMoney } from './money.ts'

/** The total of `lists`, in minor units; unknown if a row of a list could not be read. */
export function formatTotal(
  minor: number,
  lists: readonly (object | undefined)[],
  { currency, locale }: { currency: string; locale: Locale },
): string {
  return lists.some((list) => unreadableRows(list) > 0) ? unknownAmount : formatMoney(minor, currency, locale)
}
