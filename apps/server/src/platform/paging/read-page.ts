import { mostCountedRows, type PageFigures, type PageQuery } from '@atoll/contract/wire'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../db/index.ts'

/**
 * One page of `query`, which selects, narrows and orders the rows, with the figures of its answer. The rows of
 * all pages are counted by the same conditions. An order without ties keeps a row from standing on two pages.
 */
export async function readPage<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  { page, rowsPerPage }: PageQuery,
): Promise<{ rows: Row[]; figures: PageFigures }> {
  const [rows, { count }] = await Promise.all([
    query
      .limit(rowsPerPage)
      .offset((page - 1) * rowsPerPage)
      .execute(),
    query
      .clearSelect()
      .clearOrderBy()
      .select((from) => from.fn.countAll<number>().as('count'))
      .$castTo<{ count: number }>() // of a query in general the compiler cannot know
      .executeTakeFirstOrThrow(),
  ])
  return { rows, figures: { page, rowsPerPage, rowsNumber: count } }
}

/**
 * The same of a list whose rows are of all accounts: beyond `mostCountedRows` their number is the database's estimate,
 * so that a page takes as long however many there are.
 */
export async function readLongPage<DB, Tables extends keyof DB, Row>(
  db: Db,
  query: SelectQueryBuilder<DB, Tables, Row>,
  { page, rowsPerPage }: PageQuery,
): Promise<{ rows: Row[]; figures: PageFigures }> {
  const [rows, counted] = await Promise.all([
    query
      .limit(rowsPerPage)
      .offset((page - 1) * rowsPerPage)
      .execute(),
    countAbout(db, query),
  ])
  return { rows, figures: { page, rowsPerPage, ...counted } }
}

async function countAbout<DB, Tables extends keyof DB, Row>(db: Db, query: SelectQueryBuilder<DB, Tables, Row>) {
  const bare = query.clearSelect().clearOrderBy().select(sql`1`.as('one'))
  const most = bare.limit(mostCountedRows + 1)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${most} as counted`.execute(db)
  const count = rows[0]?.count ?? 0
  // Of a condition that it knows nothing about the database expects half of the rows: few are counted whatever it says.
  if (count <= mostCountedRows) return { rowsNumber: count }
  const [{ 'QUERY PLAN': plans } = { 'QUERY PLAN': [] }] = await bare.explain<{
    'QUERY PLAN': { Plan: { 'Plan Rows': number } }[]
  }>('json')
  const estimate = Math.max(plans[0]?.Plan['Plan Rows'] ?? 0, count)
  return { rowsNumber: Math.round(estimate / 100) * 100, isAbout: true as const }
}
