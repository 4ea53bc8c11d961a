// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are sources that hold templates
import { expect, it } from 'vitest'
import { findForeignTables } from './table-owners.ts'

const modules = 'apps/server/src/modules'
const declares = (...tables: string[]) =>
  `declare module '../../platform/db/index.ts' { interface Tables { ${tables.map((table) => `${table}: Row`).join('; ')} } }`
const migrations = [
  'create table pearls (id text);\ncreate unlogged table shells (id text);\ncreate table former (id text);',
  'alter table former rename to divers;\ncreate view known_divers as select id from divers;',
]
const whole = {
  [`${modules}/lagoon/pearl-store.ts`]: declares('pearls', 'shells'),
  [`${modules}/reef/diver-store.ts`]: declares('divers', 'known_divers'),
}

/** The problems found in a statement of the module reef. */
function problemsOf(statement: string, file = `${modules}/reef/routes/dive.ts`): string[] {
  return findForeignTables(new Map(Object.entries({ ...whole, [file]: statement })), migrations)
}
const pearls = (line = 1) =>
  `${modules}/reef/routes/dive.ts:${line}: pearls is a table of lagoon, which is asked by what it exports`

it.each([
  ["db.selectFrom('pearls').selectAll()"],
  ["db.selectFrom('pearls as p').selectAll()"],
  ["db.selectFrom(['divers as d', 'pearls as p'])"],
  ["db.selectFrom('divers').innerJoin('pearls', 'pearls.diver', 'divers.id')"],
  ["db.selectFrom('divers').leftJoin('pearls as p', (join) => join.onTrue())"],
  ["db.selectFrom('divers').where(({ exists, selectFrom }) => exists(db.selectFrom('public.pearls').select('id')))"],
  ["trx.insertInto('pearls').values({ id })"],
  ["trx.updateTable('divers').from('pearls')"],
  ["trx.deleteFrom('divers').using('pearls as p')"],
  ["trx.mergeInto('pearls').using('divers', 'a', 'b')"],
  ["db.selectFrom(isRare ? 'pearls' : 'divers')"],
  ["db.with('best', (q) => q.selectFrom('pearls')).selectFrom('best')"],
  ["db.with('pearls', (q) => q.selectFrom('pearls')).selectFrom('pearls')"],
  ["db.selectFrom(sql<Row>`pearls`.as('p'))"],
  ['sql<{ id: string }>`select id from divers join pearls p using (id)`.execute(db)'],
  ["sql`select from ${sql.table('pearls')}`"],
  ["sql`select ${sql.ref('pearls.id')}`"],
  ["sql`select from ${sql.id('public', 'pearls')}`"],
  ["sql`select from ${sql.raw('pearls')}`"],
  ['sql`select ${sql`(select max(id) from pearls)`}`'],
  ["pool.query('select id from pearls where id = $1', [id])"],
  ['const text = `delete from pearls`'],
  ["const table = 'pearls'\ndb.selectFrom(table)", 1],
  ["const of = (table: 'divers' | 'pearls') => sql`select from ${sql.table(table)}`"],
])("refuses another module's table: %s", (statement, line = 1) => {
  expect(problemsOf(statement)).toEqual([pearls(line)])
})

it.each([
  ["db.selectFrom('divers as pearls').innerJoin(pearlsOf(db).as('p'), 'p.diver', 'pearls.id')"],
  ["db.with('pearls', (q) => q.selectFrom('divers')).selectFrom('pearls')"],
  ["db.with((cte) => cte('pearls').materialized(), (q) => q.selectFrom('divers')).selectFrom('pearls')"],
  ["db.withRecursive('pearls(id)', (q) => q.selectFrom('divers').unionAll(q.selectFrom('pearls')))"],
  ['sql`with pearls as (select 1) select * from pearls where ${sql`id in (select id from pearls)`}`'],
  ["db.selectFrom('known_divers')"],
  ["publish({ topic: 'pearls' }), Buffer.from('pearls')"],
  ["// db.selectFrom('pearls')"],
])('lets pass: %s', (statement) => {
  expect(problemsOf(statement)).toEqual([])
})

it('lets everybody read a view, and nobody write it', () => {
  const file = `${modules}/lagoon/buy.ts`
  expect(problemsOf("db.selectFrom('known_divers')", file)).toEqual([])
  const problem = `${file}:1: known_divers is a view, which is only read`
  expect(problemsOf("db.updateTable('known_divers').set({ id })", file)).toEqual([problem])
  expect(problemsOf('sql`delete from known_divers`', file)).toEqual([problem])
})

it('lets the owner, and tests, name a table', () => {
  expect(problemsOf("db.selectFrom('pearls')", `${modules}/lagoon/buy.ts`)).toEqual([])
  expect(problemsOf("db.selectFrom('pearls')", `${modules}/reef/dive.integration.test.ts`)).toEqual([])
  expect(problemsOf("db.selectFrom('pearls')", `${modules}/reef/testing/world.ts`)).toEqual([])
})

it("refuses a module's table to commands, to http and to the platform, and the queue's to modules", () => {
  for (const folder of ['operator', 'http', 'platform']) {
    expect(problemsOf('sql`select from pearls`', `apps/server/src/${folder}/count.ts`)).toHaveLength(1)
  }
  expect(problemsOf('sql`select from graphile_worker.jobs`')).toHaveLength(1)
})

it('asks for one module that declares each table and view', () => {
  const files = new Map(Object.entries(whole))
  files.set(`${modules}/lagoon/pearl-store.ts`, declares('pearls'))
  expect(findForeignTables(files, migrations)).toEqual(['shells: no module declares it in its Tables'])
  expect(problemsOf(declares('pearls'))).toContain(`${modules}/reef/routes/dive.ts: pearls is declared by lagoon too`)
})
