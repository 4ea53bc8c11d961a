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
  const id = priceIdOf(terms)
  await trx
    .insertInto('prices')
    .values({ id, terms: textOfTerms(terms), created_at: at })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return id
}

/** The terms of these prices by their ids. Throws for one that was never sold. */
export async function getPrices(db: Db, ids: readonly string[]): Promise<Map<string, PriceTerms>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('prices').select(['id', 'terms']).where('id', 'in', wanted).execute()
  const prices = new Map(rows.map(({ id, terms }) => [id, PriceTerms.parse(JSON.parse(terms))]))
  const unknown = wanted.find((id) => !prices.has(id))
  if (unknown !== undefined) throw new Error(`The price ${unknown} was never sold.`)
  return prices
}
