import { type Currency, currencies, type Money, money, mostMinor } from '@atoll/money'
import { z } from 'zod'

/** Minor units a month or, of a coupon, once. */
export const Amount = z
  .int({ error: ({ input }) => (input === undefined ? undefined : 'must be whole cents or fen') })
  .min(0)
  .max(mostMinor)

/**
 * An amount for each currency that it is sold in: `{ usd: 1440, cny: 9900 }`. The form from before there were two
 * currencies, `{ amount: 1440, currency: usd }`, is still read; 0 in one currency means 0 in all.
 */
export const Prices = z
  .strictObject({
    usd: Amount.optional(),
    cny: Amount.optional(),
    amount: Amount.optional(),
    currency: z.enum(currencies).optional(),
  })
  .transform((written, context): Partial<Record<Currency, number | undefined>> => {
    const { amount, currency, ...prices } = written
    const isOld = amount !== undefined || currency !== undefined
    const problem = (path: string[], message: string) => {
      context.addIssue({ code: 'custom', path, message })
      return z.NEVER
    }
    if (Object.keys(prices).length > 0) return isOld ? problem(['amount'], 'does not stand beside usd and cny') : prices
    if (!isOld) return problem([], 'must name a currency: usd, cny')
    if (amount === undefined) return problem(['amount'], 'is missing')
    if (currency === undefined) return problem(['currency'], 'is missing')
    return amount === 0 ? { usd: 0, cny: 0 } : { [currency]: amount }
  })
export type Prices = z.output<typeof Prices>

/** The price in an account's currency; undefined for what is not sold in it. */
export function priceIn(prices: Prices, currency: Currency): Money | undefined {
  const minor = prices[currency]
  return minor === undefined ? undefined : money(minor, currency)
}
