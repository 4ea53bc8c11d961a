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
import { anyLife } from './testing/lives/any-life.ts'
import { expectFair, expectProvable } from './testing/lives/expect-fair.ts'
import { askLifeOracle, openLifeOracle } from './testing/lives/life-oracle.ts'
import { playLife } from './testing/lives/play-life.ts'
import { readLife } from './testing/lives/read-life.ts'

const count = Number(process.env['ATOLL_ORACLE_LIVES'] ?? 5)
const seed = Number(process.env['ATOLL_ORACLE_SEED'] ?? 1)

test(`the server and PostgreSQL agree on ${count} lives of three years`, {
  timeout: 60_000 + count * 60_000,
}, async () => {
  await using scratch = await createTestDatabase()
  const database = createDatabase({ connectionString: scratch.url })
  const client = new pg.Client(scratch.url)
  await client.connect()
  try {
    await openLifeOracle(client)
    await fc.assert(
      fc.asyncProperty(anyLife, async (life) => {
        const played = await playLife(database, life)
        expect(await readLife(database, played)).toEqual(await askLifeOracle(client, life, played))
        const { userid } = played.desk
        await expectProvable(database, userid)
        await expectFair(database, userid, new Date(life.until))
      }),
      { numRuns: count, seed, endOnFailure: true },
    )
  } finally {
    await client.end()
    await database.close()
  }
})
