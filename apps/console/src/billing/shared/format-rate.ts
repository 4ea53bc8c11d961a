import { currencySymbols, unknownAmount } from '@atoll/contract/wire'

/** A rate, in major units as decimal text, as `$0.05` or `$0.015`: at least two decimals, and none cut off. */
export function formatRate(rate: string, currency: string): string {
  const symbol = Object.entries(currencySymbols).find(([known]) => known === currency)?.[1]
  if (symbol === undefined) return unknownAmount
  const [whole = '0', decimals = ''] = rate.split('.')
  return `${symbol}${whole}.${decimals.replace(/0+$/, '').padEnd(2, '0')}`
}
