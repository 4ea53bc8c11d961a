import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@atoll/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { OperatorError } from '../operator-error.ts'
import { createDatabase, type Database, listMissingMigrations, migrate } from './index.ts'
import { readMigrations } from './migrate.ts'

let scratch: TestDatabase
let database: Database
let dir: string

beforeEach(async () => {
  scratch = await createTestDatabase({ empty: true })
  database = createDatabase({ connectionString: scratch.url })
  dir = mkdtempSync(join(tmpdir(), 'atoll-migrations-'))
})
afterEach(async () => {
  await database.close()
  await scratch.drop()
  rmSync(dir, { recursive: true })
})

function write(name: string, sql: string): void {
  writeFileSync(join(dir, name), sql)
}

async function countRows(table: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(`select count(*) as count from ${table}`)
  return rows[0]?.count ?? -1
}

it('runs each file once, in the order of their numbers', async () => {
  write('0002-second.sql', 'insert into things values (2)')
  write('0001-first.sql', 'create table things (id int); insert into things values (1)')
  await migrate(database.pool, dir)
  write('0003-third.sql', 'insert into things values (3)')
  await migrate(database.pool, dir)
  await migrate(database.pool, dir)
  expect(await countRows('things')).toBe(3)
  expect(await listMissingMigrations(database.pool, dir)).toEqual([])
})

it('lets processes that start together take turns', async () => {
  write('0001-first.sql', 'create table things (id int); select pg_sleep(0.1); insert into things values (1)')
  const others = [1, 2, 3].map(() => createDatabase({ connectionString: scratch.url }))
  await Promise.all([database, ...others].map((each) => migrate(each.pool, dir)))
  expect(await countRows('things')).toBe(1)
  await Promise.all(others.map((each) => each.close()))
})

it('leaves nothing of a file that fails, and goes on with it when it is mended', async () => {
  write('0001-first.sql', 'create table things (id int)')
  write('0002-second.sql', 'insert into things values (1); insert into nowhere values (1)')
  await expect(migrate(database.pool, dir)).rejects.toThrow(/0002-second\.sql failed: .*nowhere/)
  expect(await countRows('things')).toBe(0)
  expect(await listMissingMigrations(database.pool, dir)).toEqual(['0002-second.sql'])
  write('0002-second.sql', 'insert into things values (1)')
  await migrate(database.pool, dir)
  expect(await countRows('things')).toBe(1)
})

it('refuses a file that was changed after it ran', async () => {
  write('0001-first.sql', 'create table things (id int)')
  await migrate(database.pool, dir)
  write('0001-first.sql', 'create table things (id bigint)')
  await expect(migrate(database.pool, dir)).rejects.toThrow(/0001-first\.sql was changed/)
  await expect(migrate(database.pool, dir)).rejects.toThrow(OperatorError)
})

it('refuses a database that a newer version ran on, names what it does not know, and changes nothing', async () => {
  write('0001-first.sql', 'create table things (id int)')
  write('0003-third.sql', 'create table others (id int)')
  await migrate(database.pool, dir)
  rmSync(join(dir, '0003-third.sql'))
  write('0002-second.sql', 'create table between (id int)')
  await expect(migrate(database.pool, dir)).rejects.toThrow(
    /newer than this program.* 0003-third\.sql: start the version/,
  )
  await expect(migrate(database.pool, dir)).rejects.toThrow(OperatorError)
  expect(await listMissingMigrations(database.pool, dir)).toEqual(['0002-second.sql'])
})

it('refuses names without a number, and a number used twice', async () => {
  write('first.sql', 'select 1')
  await expect(readMigrations(dir)).rejects.toThrow(/first\.sql is not named/)
  rmSync(join(dir, 'first.sql'))
  write('0001-a.sql', 'select 1')
  write('0001-b.sql', 'select 1')
  await expect(readMigrations(dir)).rejects.toThrow(/number 0001/)
})

it('reads a bigint as a number, and refuses one that would lose digits', async () => {
  const { rows } = await database.pool.query<{ n: unknown }>('select 9007199254740991::bigint as n')
  expect(rows[0]?.n).toBe(9007199254740991)
  await expect(database.pool.query('select 9007199254740993::bigint')).rejects.toThrow(/9007199254740993/)
})
