import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { metering } from '../../usage/metered-products.ts'
import { testPlans } from '../test-plans.ts'
import type { Life } from './any-life.ts'
import type { Fact } from './note-life.ts'

/** The final state of a life's money, amounts in minor units. */
export interface LifeMoney {
  /** By invoice, line by line: item, product, time, amount, discount. */
  bills: Record<string, { kind: string; state: string; lines: unknown[] }>
  /** By payment: promo, balance, card, collected, rolled. */
  payments: Record<string, number[]>
  /** Credits: invoice, cash, promo, off the amount owed. */
  credits: unknown[]
  /** Of each account that something is on; revenues and discounts together. */
  balances: Record<string, number>
  /** Cash after each fact that is a step's last. */
  cash: number[]
}

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** Teaches a connection what lives cost; it keeps that to itself. */
export async function openLifeOracle(client: pg.Client): Promise<void> {
  const [functions = '', question = ''] = textOf('../pricing-oracle.sql').split(/(?=^with baskets)/m)
  await client.query(functions)
  // The question of one basket.
  await client.query(`create function pg_temp.priced(jsonb) returns table (items jsonb, total numeric, code text)
    language sql as $priced$ select items, total::numeric, code from (
      with oracle_baskets as (select 1 as id, $1 as drawn), ${question.trim().replace(/^with |;$/g, '')}) as answer $priced$`)
  for (const file of ['life-oracle.sql', 'life-bills.sql', 'life-payments.sql']) await client.query(textOf(file))
  for (const { level, quotas, overage } of testPlans) {
    const products = ['cloud_storage', 'cloud_traffic'] as const
    const micros = products.map((product) => [product, (quotas[metering[product].quota] ?? 0) * 1_000_000])
    const rates = products.map((product) => [product, overage[product]?.usd ?? null])
    const values = [level, Object.fromEntries(micros), Object.fromEntries(rates)]
    await client.query('insert into life_plans values ($1, $2, $3)', values)
  }
}

/** The oracle's result for the facts of a life; throws if a bill that was due is missing. */
export async function askLifeOracle(
  client: pg.Client,
  { zone, until }: Life,
  { facts, cash }: { facts: Fact[]; cash: Map<number, number> },
): Promise<LifeMoney> {
  await client.query('begin')
  try {
    await client.query(
      'insert into life_facts select seq, (fact ->> $2)::timestamptz, fact from jsonb_array_elements($1) with ordinality as of_life (fact, seq)',
      [JSON.stringify(facts), 'at'],
    )
    await client.query('select pg_temp.live($1, $2)', [zone, until])
    const rowsOf = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows as [string, never][]
    return {
      bills: Object.fromEntries(
        await rowsOf(`select invoice, json_build_object('kind', kind, 'state', state, 'lines', (
          select json_agg(json_build_array(item, product, pg_temp.iso(starts), pg_temp.iso(ends), amount, discount) order by line)
          from lines where lines.invoice = bills.invoice)) from bills`),
      ),
      payments: Object.fromEntries(
        await rowsOf('select payment, json_build_array(promo, balance, card, collected, rolled) from pays'),
      ),
      credits: await rowsOf('select invoice, cash::float8, promo::float8, owed::float8 from notes order by 1, 2, 3, 4'),
      balances: Object.fromEntries(
        await rowsOf('select account, sum(minor)::float8 from moved group by 1 having sum(minor) <> 0'),
      ),
      cash: (await rowsOf('select minor::float8, seq from life_cash order by seq')).flatMap(([minor, seq]) =>
        cash.has(seq) ? [Number(minor)] : [],
      ),
    }
  } finally {
    await client.query('rollback')
  }
}
