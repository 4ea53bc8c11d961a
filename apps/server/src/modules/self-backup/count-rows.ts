import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'

/** Number of rows of each of our tables, read from the table itself: a page that cannot be read is an error. */
export async function countRows(db: Db): Promise<Map<string, number>> {
  return await db.transaction().execute(async (trx) => {
    await sql`set local enable_indexonlyscan = off`.execute(trx)
    await sql`set local enable_indexscan = off`.execute(trx)
    const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'
      order by tablename`.execute(trx)
    const counts = new Map<string, number>()
    for (const { name } of rows) {
      // Not `count(*)`, which reads no value that lies outside its row.
      const counted = await sql<{ count: number; bytes: number }>`select count(*)::int as count,
        coalesce(sum(length(t::text)), 0)::bigint as bytes from ${sql.table(name)} as t`.execute(trx)
      counts.set(name, counted.rows[0]?.count ?? 0)
    }
    return counts
  })
}
