import type { Pool } from 'pg'

/** `table.column` of each column in which one of these texts stands. */
export async function columnsWith(pool: Pool, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'graphile_worker')`,
  )
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await pool.query<{ column: string }>(
        `select distinct field.key as column from ${name} as row cross join jsonb_each_text(to_jsonb(row)) as field
          where exists (select from unnest($1::text[]) as sought where strpos(field.value, sought) > 0)`,
        [texts],
      )
      return rows.map(({ column }) => `${name.replace(/^public\./, '')}.${column}`)
    }),
  )
  return found.flat().toSorted()
}
