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

/** An account's balance: `cashBalance` counts debts, so it is shown negated when it is not zero (spec §9). */
export function formatBalance(cashBalance: number, currency: string, locale: Locale): string {
  return formatMoney(ofCustomer(cashBalance), currency, locale)
}

/** An amount of the ledger's `cash` as the customer's: positive is theirs. Zero stays zero, and is not -0. */
export function ofCustomer(cashMinor: number): number {
  return cashMinor === 0 ? 0 : -cashMinor
}

/** A change by an amount: `+$4.72`, `−$12.96`. */
export function formatChange(amount: number, currency: string, locale: Locale): string {
  const text = formatMoney(amount, currency, locale)
  return amount > 0 && text !== unknownAmount ? `+${text}` : text
}
