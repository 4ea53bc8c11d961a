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

const between = prepareQuery('test.between', (db: Db, text) =>
  db.selectNoFrom([
    sql<boolean>`${text}::text in (${"o'hara"}, ${'back\\slash'}) and ${2} > ${1} and ${true}`.as('is'),
  ]),
)

test('constants stand in the text of a prepared query, whatever they hold', async () => {
  for (const [text, is] of [
    ["o'hara", true],
    ['back\\slash', true],
    ['reef', false],
  ] as const) {
    expect(await between(database.db, text)).toEqual([{ is }])
  }
  const { rows } = await database.pool.query(
    `select statement from pg_prepared_statements where name = 'test.between' and parameter_types = '{text}'`,
  )
  expect(rows).toHaveLength(1)
})

test('a time is no constant: it would stay that of the first call', async () => {
  const since = prepareQuery('test.since', (db: Db) => db.selectNoFrom(sql`${new Date()}::timestamptz`.as('at')))
  await expect(since(database.db, '')).rejects.toThrow('no constant')
})

test('a plan for every owner finds clusters by the index of those that are there', async () => {
  const ours = prepareQuery('test.clusters', (db: Db, owner) =>
    db.selectFrom('clusters').select('id').where('owner', '=', owner).where('status', '<>', 'destroyed'),
  )
  await ours(database.db, 'nobody')
  const { rows } = await database.pool
    .query(`set plan_cache_mode = force_generic_plan; set enable_seqscan = off`)
    .then(() => database.pool.query(`explain execute "test.clusters" ('nobody')`))
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('clusters_owner_idx')
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
