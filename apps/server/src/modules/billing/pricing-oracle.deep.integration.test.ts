/**
 * The engine against PostgreSQL: random baskets, each item and each part of the payment equal. ATOLL_ORACLE_BASKETS
 * says how many; the suite's few thousand take seconds.
 */
import { readFileSync } from 'node:fs'
import { createTestDatabase } from '@atoll/testkit'
import * as fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { PricedBasket } from './pricing/basket.ts'
import { priceBasket } from './pricing/price-basket.ts'
import { anyBasket, type DrawnBasket, factsOf } from './testing/any-basket.ts'

const [functions = '', question = ''] = readFileSync(
  new URL('testing/pricing-oracle.sql', import.meta.url),
  'utf8',
).split(/(?=^with baskets)/m)
const count = Number(process.env['ATOLL_ORACLE_BASKETS'] ?? 3000)
const atOnce = 100

test(`the engine and PostgreSQL agree on ${count} random baskets`, { timeout: 60_000 + count * 20 }, async () => {
  await using testDatabase = await createTestDatabase()
  const client = new pg.Client(testDatabase.url)
  await client.connect()
  try {
    await client.query(functions)
    await client.query('create temp table oracle_baskets (id integer primary key, drawn jsonb not null)')
    for (let done = 0; done < count; done += atOnce) {
      const baskets = fc.sample(anyBasket, { numRuns: Math.min(atOnce, count - done), seed: done })
      await client.query('truncate oracle_baskets')
      await client.query(
        'insert into oracle_baskets select place, drawn from jsonb_array_elements($1) with ordinality as b (drawn, place)',
        [JSON.stringify(baskets)],
      )
      const { rows } = await client.query<Answer>(question)
      expect(rows).toHaveLength(baskets.length)
      baskets.forEach((drawn, index) => {
        const { id: _, ...answer } = rows[index] ?? missing()
        expect(answer, JSON.stringify(drawn)).toEqual(answerOf(drawn))
      })
    }
  } finally {
    await client.end()
  }
})

interface Answer {
  id: number
  /** Amount and discount of each. */
  items: [number, number][]
  total: number
  code: string
  split: Record<keyof PricedBasket['split'], number>
}

function answerOf(drawn: DrawnBasket): Omit<Answer, 'id'> {
  const { items, total, coupon, split } = priceBasket(factsOf(drawn), new Date(drawn.at))
  const { promo, balance, card, collected, rolled } = split
  return {
    items: items.map(({ amount, discount }) => [amount.minor, discount.minor]),
    total: total.minor,
    code: coupon?.code ?? '',
    split: {
      promo: promo.minor,
      balance: balance.minor,
      card: card.minor,
      collected: collected.minor,
      rolled: rolled.minor,
    },
  }
}

function missing(): never {
  throw new Error('The oracle left a basket out.')
}
