import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { expect, test } from 'vitest'
import { countWrites, type Tables, type Trx } from './index.ts'

/** It answers every statement with nothing. */
const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

test.each<[what: string, writes: number, send: (trx: Trx) => Promise<unknown>]>([
  ['a query', 0, (trx) => trx.selectFrom('leases').selectAll().execute()],
  ['a change', 1, (trx) => trx.deleteFrom('leases').execute()],
  [
    'a query of what it changes',
    1,
    (trx) =>
      trx
        .with('gone', (cte) => cte.deleteFrom('leases').returningAll())
        .selectFrom('gone')
        .selectAll()
        .execute(),
  ],
  ['text, which nobody reads', 1, (trx) => sql`select 1`.execute(trx)],
])('%s counts as %i that may have written', async (_, writes, send) => {
  await db.transaction().execute(async (trx) => {
    const counted = countWrites(trx)
    await send(counted.trx)
    expect(counted.writes()).toBe(writes)
  })
})
