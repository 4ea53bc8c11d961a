import { type Locale, unknownAmount, unreadableRows } from '@atoll/contract/wire'
import { formatMoney } from './money.ts'

/** What the rows of `lists` come to, in minor units; of a list with a row that could not be read nobody knows that. */
export function formatTotal(
  minor: number,
  lists: readonly (object | undefined)[],
  { currency, locale }: { currency: string; locale: Locale },
): string {
  return lists.some((list) => unreadableRows(list) > 0) ? unknownAmount : formatMoney(minor, currency, locale)
}
