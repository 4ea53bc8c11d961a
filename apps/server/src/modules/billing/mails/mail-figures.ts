import { currencySymbols, type Locale } from '@atoll/contract/wire'
import type { Currency, Money, Zone } from '@atoll/money'
import { deadlineText } from '../../mail/index.ts'
import { amountText, dayText, timeText } from '../views/lines/file-figures.ts'

/** Amounts and times in an account's language, and in the zone of its money but for deadlines. */
export interface Figures {
  money(amount: Money): string
  /** With a minus: what comes off. */
  off(amount: Money): string
  day(at: Date): string
  /** An amount of something that is measured: `1,000 GB`. */
  amount(value: number, unitLabel: string): string
  /** A price for each unit, which may have more decimals than money has. */
  rate(rate: { text: string; currency: Currency }): string
  time(at: Date): string
  /** Until when something can be done: in the zone of the reader, and in UTC. */
  deadline(at: Date): string
}

export function figuresOf({ locale, zone, timeZone }: { locale: Locale; zone: Zone; timeZone: string }): Figures {
  return {
    money: ({ minor, currency }) => amountText(minor, currency),
    off: ({ minor, currency }) => amountText(-minor, currency),
    amount: (value, unitLabel) =>
      `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value)} ${unitLabel}`,
    rate: ({ text, currency }) => `${currencySymbols[currency]}${text}`,
    day: (at) => dayText(at, zone, locale),
    time: (at) => `${timeText(at, zone, locale)} ${zone}`,
    deadline: (at) => deadlineText(at, timeZone, locale),
  }
}
