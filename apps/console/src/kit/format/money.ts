import { currencySymbols, type Locale, minorUnitsPerUnit, moneyDecimals, unknownAmount } from '@atoll/contract/wire'

/** An amount in minor units as `$7.20`; '-' when the currency is unknown (spec §9). Minus is U+2212. */
export function formatMoney(amount: number, currency: string, locale: Locale): string {
  const symbol = Object.entries(currencySymbols).find(([known]) => known === currency)?.[1]
  if (symbol === undefined) return unknownAmount
  const figure = new Intl.NumberFormat(locale, {
    minimumFractionDigits: moneyDecimals,
    maximumFractionDigits: moneyDecimals,
  }).format(Math.abs(amount) / minorUnitsPerUnit)
  return `${amount < 0 ? '\u2212' : ''}${symbol}${figure}`
}
