/**
 * An estimate that was shown to a person, in a token that they return with the order: account, request, the instant of
 * its prices, the prices, the coupon and the payment. Estimates are not stored; an HMAC proves that we made it.
 *
 * The period begins at the token's instant, so the same basket at that instant costs the amount that was shown. The
 * token is valid for 15 minutes, and as long as prices and coupon are unchanged and no more is charged to the card.
 */
import { currencies } from '@atoll/money'
import { z } from 'zod'
import type { Sealer } from '../../../platform/crypto.ts'
import type { PricedBasket } from './basket.ts'
import { openToken, signToken } from './signed-token.ts'

/** How long what was shown can be ordered, ms. */
export const estimateLifetimeMs = 15 * 60_000
const purpose = 'estimate'

const Minor = z.int()
const Quote = z.strictObject({
  userid: z.string(),
  /** The request, as `basketText` writes it. */
  basket: z.string(),
  at: z.iso.datetime(),
  /** Ids of the prices, in the order of the items. */
  prices: z.array(z.string()),
  coupon: z.string().nullable(),
  currency: z.enum(currencies),
  total: Minor,
  promo: Minor,
  balance: Minor,
  card: Minor,
  rolled: Minor,
})
export type Quote = z.output<typeof Quote>

/** The account and its request. */
export interface Asked {
  userid: string
  basket: string
}

/** The request as text, the same for the same fields in any order. */
export function basketText(fields: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Instants of estimates are whole seconds, as proration is. */
export function estimateInstant(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 1000) * 1000)
}

/** The quote of a basket that was priced at `at`. */
export function quoteOf(
  asked: Asked,
  prices: readonly string[],
  { coupon, total, split }: PricedBasket,
  at: Date,
): Quote {
  return {
    userid: asked.userid,
    basket: asked.basket,
    at: at.toISOString(),
    prices: [...prices],
    coupon: coupon?.code ?? null,
    currency: total.currency,
    total: total.minor,
    promo: split.promo.minor,
    balance: split.balance.minor,
    card: split.card.minor,
    rolled: split.rolled.minor,
  }
}

export function signQuote(sealer: Pick<Sealer, 'derive' | 'accepts'>, quote: Quote): string {
  return signToken(sealer, purpose, quote)
}

/**
 * The quote of a token that was given to this account for this basket at most 15 minutes before `now`. Undefined for
 * any other: altered, old, from the future, of somebody or something else.
 */
export function readQuote(
  sealer: Pick<Sealer, 'derive' | 'accepts'>,
  token: string,
  { userid, basket }: Asked,
  now: Date,
): Quote | undefined {
  const { data: quote } = Quote.safeParse(openToken(sealer, purpose, token))
  if (!quote) return undefined
  const age = now.getTime() - Date.parse(quote.at)
  if (quote.userid !== userid || quote.basket !== basket || age < 0 || age > estimateLifetimeMs) return undefined
  return quote
}

/** Whether what was shown is what it costs now: priced at the quote's instant, and no more from the card. */
export function stillHolds(quote: Quote, now: Quote): boolean {
  return (
    quote.currency === now.currency &&
    quote.total === now.total &&
    quote.coupon === now.coupon &&
    quote.prices.join() === now.prices.join() &&
    now.card <= quote.card
  )
}
