import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@atoll/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../log.ts'
import { OperatorError } from '../../operator-error.ts'
import { createDatabase, type Database, listMissingMigrations, migrate, requireMigrated } from '../index.ts'
import { readMigrations } from './migration-files.ts'

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
  // An index that is built concurrently waits for every query that is under way.
  write('0002-second.sql', '-- in steps\ncreate index concurrently if not exists things_by_id on things (id)')
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

it('runs on a newer database whose files all say that this version may, and refuses it to an older one', async () => {
  write('0001-first.sql', 'create table things (id int)')
  write('0002-second.sql', '-- oldest program: 1.4.0\nalter table things add column size int')
  write('0003-third.sql', '-- oldest program: 1.3.2\ncreate table others (id int)')
  await migrate(database.pool, dir, { version: '1.5.0' })
  rmSync(join(dir, '0002-second.sql'))
  rmSync(join(dir, '0003-third.sql'))
  await migrate(database.pool, dir, { version: '1.4.0' })
  await requireMigrated(database.pool, dir, '1.4.0')
  const refused = /newer than this program.* 0002-second\.sql/
  await expect(migrate(database.pool, dir, { version: '1.3.9' })).rejects.toThrow(refused)
  await expect(requireMigrated(database.pool, dir, '1.3.9')).rejects.toThrow(refused)
})

it('refuses a newer database that lacks a file of this program, though this version may run on it', async () => {
  write('0001-first.sql', 'create table things (id int)')
  write('0003-third.sql', '-- oldest program: 1.4.0\ncreate table others (id int)')
  await migrate(database.pool, dir, { version: '1.5.0' })
  rmSync(join(dir, '0003-third.sql'))
  write('0002-second.sql', 'create table between (id int)')
  await expect(migrate(database.pool, dir, { version: '1.4.0' })).rejects.toThrow(
    /has .*0003-third.* lacks 0002-second/,
  )
})

it('takes a database of before files said anything, and notes what later ones say', async () => {
  write('0001-first.sql', 'create table things (id int)')
  await migrate(database.pool, dir)
  await database.pool.query('alter table schema_migrations drop column oldest_program')
  await requireMigrated(database.pool, dir)
  write('0002-second.sql', '-- oldest program: 1.4.0\ncreate table others (id int)')
  await migrate(database.pool, dir)
  const { rows } = await database.pool.query('select oldest_program from schema_migrations order by name')
  expect(rows).toEqual([{ oldest_program: null }, { oldest_program: '1.4.0' }])
})

it('only checks where it may not migrate: an empty database and one that lacks a file are refused as they are', async () => {
  write('0001-first.sql', 'create table things (id int)')
  await expect(requireMigrated(database.pool, dir)).rejects.toThrow(
    /lacks 1 migrations.* 0001-first\.sql.*migrate first/,
  )
  await migrate(database.pool, dir)
  await requireMigrated(database.pool, dir)
  write('0002-second.sql', 'create table others (id int)')
  await expect(requireMigrated(database.pool, dir)).rejects.toThrow(OperatorError)
  expect(await listMissingMigrations(database.pool, dir)).toEqual(['0002-second.sql'])
})

describe('while another session holds a lock', () => {
  const patience = { lockMs: 60, pauseMs: 20, inAllMs: 60_000 }
  let lines: { msg: string; migration?: string; blockers?: { pid: number; query: string }[] }[]
  const log = createLog({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })

  beforeEach(async () => {
    lines = []
    write('0001-first.sql', 'create table things (id int)')
    await migrate(database.pool, dir)
  })

  /** Runs `statement` and holds what it holds until `done` is called; `pid` is that of its session. */
  async function hold(statement: string) {
    const client = await database.pool.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await client.query('begin')
    await client.query(statement)
    const done = async () => {
      await client.query('commit')
      client.release()
    }
    return { pid: rows[0]?.pid, done }
  }

  it.each([
    ['a reader of the table', 'select count(*) from things', '0002-second.sql'],
    ['a change of the job queue', 'lock table graphile_worker.migrations', 'of the job queue'],
  ])('%s is named, others pass it, and the file is tried until it is gone', async (_, statement, named) => {
    write('0002-second.sql', 'alter table things add column size int')
    const holder = await hold(statement)
    const ended = migrate(database.pool, dir, { log, patience })
    await expect
      .poll(() => lines.find(({ blockers = [] }) => blockers.length > 0))
      .toMatchObject({
        migration: named,
        blockers: [{ pid: holder.pid, query: statement }],
      })
    // Readers that came after it were not kept waiting for the holder.
    expect(await countRows('things')).toBe(0)
    await holder.done()
    await ended
    expect(lines.at(-1)).toMatchObject({ msg: 'a migration was applied', migration: '0002-second.sql' })
    expect(await listMissingMigrations(database.pool, dir)).toEqual([])
  })

  it('is given up after its time, in words that name the holder, and nothing of the file stays', async () => {
    write('0002-second.sql', 'create table others (id int); alter table things add column size int')
    const holder = await hold('select count(*) from things')
    const refused = migrate(database.pool, dir, { log, patience: { ...patience, lockMs: 400, inAllMs: 1 } })
    await expect(refused).rejects.toThrow(`process ${holder.pid} `)
    await expect(refused).rejects.toThrow(OperatorError)
    await holder.done()
    expect(await listMissingMigrations(database.pool, dir)).toEqual(['0002-second.sql'])
    await migrate(database.pool, dir)
  })
})

it('runs a file in steps outside a transaction, begins it again after it was killed, and in batches until none is left', async () => {
  write('0001-first.sql', 'create table things (id int); insert into things select generate_series(1, 25)')
  await migrate(database.pool, dir)
  // As a build leaves it that was killed or failed: there, of no use, and in the way.
  await database.pool.query('insert into things values (1)')
  await database.pool.query('create unique index concurrently things_by_id on things (id)').catch(() => undefined)
  await database.pool.query('delete from things where ctid = (select max(ctid) from things where id = 1)')
  write('0002-second.sql', '-- oldest program: 1.4.0\nalter table things add column size int')
  write(
    '0003-steps.sql',
    `-- oldest program: 1.4.0
-- in steps
create unique index concurrently if not exists things_by_id
  on things (id);
-- Ten at a time.
-- until none is left
update things set size = id where id in (select id from things where size is null limit 10);
`,
  )
  const lines: string[] = []
  await migrate(database.pool, dir, { log: createLog({ level: 'info' }, { write: (line) => void lines.push(line) }) })
  const { rows } = await database.pool.query(
    `select indisvalid as valid, (select count(*) from things where size = id) as filled
     from pg_index where indexrelid = 'things_by_id'::regclass`,
  )
  expect(rows).toEqual([{ valid: true, filled: 25 }])
  expect(lines.some((line) => line.includes('"rows":25'))).toBe(true)
  expect(await listMissingMigrations(database.pool, dir)).toEqual([])
})

it.each([
  ['-- in steps\ncreate table others (id int);', 'cannot be run again'],
  ['-- in steps\ncreate index concurrently things_by_id on things (id);', 'cannot be run again'],
  ['-- in steps\nupdate things set id = 1;', 'cannot be run again'],
  ['select 1;\n-- in steps', 'at its top'],
])('refuses the steps %j', async (sql, why) => {
  write('0001-first.sql', sql)
  await expect(readMigrations(dir)).rejects.toThrow(why)
})

it.each([
  ['select 1;\n-- oldest program: 1.4.0', 'first line'],
  ['-- oldest program: 1.4', 'three numbers'],
  ['-- Oldest program: 1.4.0', 'first line'],
])('refuses the declaration %j', async (sql, why) => {
  write('0001-first.sql', sql)
  await expect(readMigrations(dir)).rejects.toThrow(why)
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
