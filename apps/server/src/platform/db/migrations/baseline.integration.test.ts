/** The schema is the same by the baseline and by the files that came before it. */
import { expect, test } from 'vitest'
import { databaseBefore } from '../testing/database-before.ts'
import { useDatabase } from '../testing/use-database.ts'

const today = useDatabase()

/**
 * All that the catalogue says of the migrations' work, a line each, except for partitions, which the clock names,
 * comments in functions, and the names of NOT NULL constraints, which PostgreSQL gives from version 18 on and no
 * statement uses.
 */
const catalogue = `
  with relations as (
    select oid, relname, relkind, relpersistence, reloptions from pg_class
    where relnamespace = 'public'::regnamespace and relname <> 'schema_migrations' and not relispartition
  )
  select concat_ws(' ', 'relation', relname, relkind, relpersistence, reloptions, pg_get_partkeydef(oid),
    case when relkind = 'v' then pg_get_viewdef(oid) end) as line
  from relations where relkind in ('r', 'p', 'v')
  union all
  select concat_ws(' ', 'column', relname, place, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
    attgenerated, attcollation::regcollation, pg_get_expr(adbin, adrelid))
  from relations join (
    select *, row_number() over (partition by attrelid order by attnum) as place
    from pg_attribute where attnum > 0 and not attisdropped
  ) as columns on attrelid = relations.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relkind in ('r', 'p', 'v')
  union all
  select concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(c.oid))
  from relations join pg_constraint c on conrelid = relations.oid where contype <> 'n'
  union all
  select concat_ws(' ', 'index', pg_get_indexdef(indexrelid), indisvalid)
  from relations join pg_index on indrelid = relations.oid
  union all
  select concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid), tgenabled)
  from relations join pg_trigger t on tgrelid = relations.oid where not tgisinternal
  union all
  select concat_ws(' ', 'function', regexp_replace(pg_get_functiondef(oid), '^\\s*--.*$', '', 'gn'))
  from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select concat_ws(' ', 'sequence', sequencename, data_type, start_value, min_value, max_value, increment_by, cycle)
  from pg_sequences where schemaname = 'public'
  order by line`

async function readSchema({ pool }: Pick<typeof today, 'pool'>): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(catalogue)
  return rows.map(({ line }) => line)
}

/** The rows of all tables that have any, but for partitions, the record of migrations and the random id. */
async function readRows({ pool }: Pick<typeof today, 'pool'>): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and not relispartition and relname <> 'schema_migrations' order by 1`,
  )
  const found: Record<string, unknown[]> = {}
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: unknown }>(
      `select to_jsonb(t) - case when $1 = 'deployments' then 'id' else '' end as row from ${name} t`,
      [name],
    )
    if (rows.length > 0) found[name] = rows.map(({ row }) => row)
  }
  return found
}

test('a database that has had all files from before the baseline is adopted, with the schema that the baseline makes', async () => {
  await using old = await databaseBefore()
  const names = async () => (await old.pool.query('select name from schema_migrations order by 1')).rows
  await old.migrate()
  expect(await readSchema(old)).toEqual(await readSchema(today))
  expect(await readRows(old)).toEqual(await readRows(today))
  const fresh = (await today.pool.query('select name from schema_migrations order by 1')).rows
  expect(await names()).toEqual([{ name: '1000-adopt-baseline.sql' }, ...fresh])
  await old.migrate()
})

test('a database that lacks a file from before the baseline is refused and left as it is', async () => {
  await using old = await databaseBefore('0800')
  const before = await readSchema(old)
  await expect(old.adopt()).rejects.toThrow(
    /older than the first release, and its last migration is 0771-rollouts\.sql: only one that has had all until/,
  )
  expect(await readSchema(old)).toEqual(before)
})
