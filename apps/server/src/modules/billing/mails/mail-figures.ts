import type { Locale } from '@atoll/contract/wire'
import type { Money, Zone } from '@atoll/money'
import { amountText, dayText, timeText } from '../files/file-figures.ts'

/** Amounts and times in an account's language and zone. */
export interface Figures {
  money(amount: Money): string
  /** With a minus: what comes off. */
  off(amount: Money): string
  day(at: Date): string
  time(at: Date): string
}

export function figuresOf(locale: Locale, zone: Zone): Figures {
  return {
    money: ({ minor, currency }) => amountText(minor, currency),
    off: ({ minor, currency }) => amountText(-minor, currency),
    day: (at) => dayText(at, zone, locale),
    time: (at) => `${timeText(at, zone, locale)} ${zone}`,
  }
}
