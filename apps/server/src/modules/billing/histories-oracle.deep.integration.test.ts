/**
 * Compares the server with an oracle in PostgreSQL over whole account lives: three years of orders, workers, plans,
 * coupons, refunds, declines, late payments and usage. Each bill line, payment and balance must be equal.
 * ATOLL_ORACLE_LIVES sets the number of lives; the few of the suite take seconds.
 */
import { createTestDatabase } from '@atoll/testkit'
import * as fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createDatabase } from '../../platform/db/index.ts'
import { anyLife, type Life } from './testing/histories/any-life.ts'
import { expectFair, expectProvable } from './testing/histories/expect-fair.ts'
import { askLifeOracle, openLifeOracle } from './testing/histories/life-oracle.ts'
import { playLife } from './testing/histories/play-life.ts'
import { readLife } from './testing/histories/read-life.ts'

const count = Number(process.env['ATOLL_ORACLE_LIVES'] ?? 3)
const seed = Number(process.env['ATOLL_ORACLE_SEED'] ?? 1)

/** Has the oracle beside a database of its own, for `compare` to ask it about lives. */
async function withOracle(compare: (agreesOn: (life: Life) => Promise<void>) => Promise<void>): Promise<void> {
  await using scratch = await createTestDatabase()
  const database = createDatabase({ connectionString: scratch.url })
  const client = new pg.Client(scratch.url)
  await client.connect()
  try {
    await openLifeOracle(client)
    await compare(async (life) => {
      const played = await playLife(database, life)
      expect(await readLife(database, played)).toEqual(await askLifeOracle(client, life, played))
      const { userid } = played.harness
      await expectProvable(database, userid)
      await expectFair(database, userid, new Date(life.until))
    })
  } finally {
    await client.end()
    await database.close()
  }
}

test(`the server and PostgreSQL agree on ${count} lives of three years`, {
  timeout: 60_000 + count * 60_000,
}, async () => {
  await withOracle((agreesOn) =>
    fc.assert(fc.asyncProperty(anyLife, agreesOn), { numRuns: count, seed, endOnFailure: true }),
  )
})

test('they agree that usage which credit covered is owed when that has expired', async () => {
  const [start, day] = [new Date('2027-01-31T12:00:00Z'), 86_400_000]
  const after = (days: number) => new Date(start.getTime() + days * day).toISOString()
  // 100 GB above what Basic includes, for 3 cents each, and nothing but the credit to pay for them.
  const life: Life = {
    zone: 'UTC',
    start: start.toISOString(),
    until: after(60),
    actions: [
      { at: after(0), do: 'card', card: 'none' },
      { at: after(0), do: 'credit', minor: 900 },
      { at: after(0), do: 'plan', level: 2 },
      { at: after(1), do: 'grant', minor: 1000, days: 5 },
      { at: after(3), do: 'use', product: 'cloud_traffic', gb: 700, lateHours: 0, fall: null },
    ],
  }
  await withOracle((agreesOn) => agreesOn(life))
})
