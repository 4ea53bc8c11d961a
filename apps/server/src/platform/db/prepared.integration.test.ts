import { createTestDatabase, type TestDatabase } from '@atoll/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type Database, type Db, prepareQuery } from './index.ts'

let testDatabase: TestDatabase
let database: Database
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = createDatabase({ connectionString: testDatabase.url }, { max: 1 })
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

const echo = prepareQuery('test.echo', (db: Db, text) =>
  db.selectNoFrom([sql<string>`${text}::text`.as('text'), sql<string>`${text}::text || ${text}::text`.as('twice')]),
)

test('a prepared query answers for its parameter each time and is prepared once', async () => {
  for (const text of ['reef', "o'hara", '<parameter>', 'reef']) {
    expect(await echo(database.db, text)).toEqual([{ text, twice: text + text }])
  }
  const { rows } = await database.pool.query('select name from pg_prepared_statements')
  expect(rows).toEqual([{ name: 'test.echo' }])
})

test('other queries are not prepared, and errors stay errors', async () => {
  await expect(sql`select 1 / 0`.execute(database.db)).rejects.toThrow('division by zero')
  expect((await database.pool.query('select $1::int as one', [1])).rows).toEqual([{ one: 1 }])
})

test('works inside a transaction', async () => {
  await database.db.transaction().execute(async (trx) => {
    expect(await echo(trx, 'atoll')).toMatchObject([{ text: 'atoll' }])
  })
})
