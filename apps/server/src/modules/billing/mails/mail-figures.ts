import { currencySymbols, type Locale } from '@atoll/contract/wire'
import type { Currency, Money, Zone } from '@atoll/money'
import { amountText, dayText, timeText } from '../files/file-figures.ts'

/** Amounts and times in an account's language and zone. */
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
}

export function figuresOf(locale: Locale, zone: Zone): Figures {
  return {
    money: ({ minor, currency }) => amountText(minor, currency),
    off: ({ minor, currency }) => amountText(-minor, currency),
    amount: (value, unitLabel) =>
      `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(value)} ${unitLabel}`,
    rate: ({ text, currency }) => `${currencySymbols[currency]}${text}`,
    day: (at) => dayText(at, zone, locale),
    time: (at) => `${timeText(at, zone, locale)} ${zone}`,
  }
}
