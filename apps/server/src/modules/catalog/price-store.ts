import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'
import { PriceTerms, priceIdOf, textOfTerms } from './price-terms.ts'

interface PricesTable {
  /** Hash of the terms. */
  id: string
  terms: string
  created_at: Date
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    prices: PricesTable
  }
}

/** Keeps what is being sold and gives its id; sold before on the same terms, it has a row already. */
export async function keepPrice(trx: Trx, terms: PriceTerms, at: Date): Promise<string> {
  await keepPrices(trx, [terms], at)
  return priceIdOf(terms)
}

/** As `keepPrice` for each, in one statement. */
export async function keepPrices(trx: Trx, sold: readonly PriceTerms[], at: Date): Promise<void> {
  const rows = new Map(sold.map((terms) => [priceIdOf(terms), textOfTerms(terms)]))
  // In one order for all, so that two that keep the same prices never wait for each other.
  const values = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, terms]) => ({ id, terms, created_at: at }))
  await trx
    .insertInto('prices')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** For a query: the terms of a price, JSON text as they were kept. */
export function termsOf(priceId: Expression<unknown>): RawBuilder<string> {
  return sql<string>`(select terms from prices where prices.id = ${priceId})`
}

/** The amount of each price, as a table of another query: id, amount. Each text is read once for all items of it. */
export const soldAmounts = sql`(with price as materialized (select id, (terms::json ->> 'amount')::bigint as amount
  from prices) select id, amount from price)`

/** Reads the text that `termsOf` gives in a query. */
export function parseTerms(text: string): PriceTerms {
  return PriceTerms.parse(JSON.parse(text))
}

/** The terms at which these were sold, by the ids of their prices. Throws for one that was never sold. */
export async function getPrices(db: Db, sold: readonly { price_id: string }[]): Promise<Map<string, PriceTerms>> {
  const wanted = [...new Set(sold.map(({ price_id }) => price_id))]
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('prices').select(['id', 'terms']).where('id', 'in', wanted).execute()
  const prices = new Map(rows.map(({ id, terms }) => [id, parseTerms(terms)]))
  const unknown = wanted.find((id) => !prices.has(id))
  if (unknown !== undefined) throw new Error(`The price ${unknown} was never sold.`)
  return prices
}
