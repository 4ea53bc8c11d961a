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
  const [rows, count] = await Promise.all([
    query
      .limit(rowsPerPage)
      .offset((page - 1) * rowsPerPage)
      .execute(),
    countRows(query),
  ])
  return { rows, figures: { page, rowsPerPage, rowsNumber: count } }
}

async function countRows<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
): Promise<number> {
  const { count } = await query
    .clearSelect()
    .clearOrderBy()
    .select((from) => from.fn.countAll<number>().as('count'))
    .$castTo<{ count: number }>() // of a query in general the compiler cannot know
    .executeTakeFirstOrThrow()
  return count
}

/** A stretch of a list in its order: its rows follow those of the part before. */
export interface ListPart {
  ids(limit: number, offset: number): Promise<string[]>
  count(): Promise<number>
}

/** `query` narrows and orders. */
export function partOf<DB, Tables extends keyof DB>(query: SelectQueryBuilder<DB, Tables, { id: string }>): ListPart {
  return {
    async ids(limit, offset) {
      return (await query.limit(limit).offset(offset).execute()).map(({ id }) => id)
    },
    count: () => countRows(query),
  }
}

interface LongList<DB, Tables extends keyof DB, Row> {
  /** Which rows the list has, in no order: they are counted. */
  all: SelectQueryBuilder<DB, Tables, { id: string }>
  parts: readonly ListPart[]
  /** The rows with these ids, in any order. */
  read(ids: string[]): Promise<Row[]>
  idOf(row: Row): string
}

/**
 * The same of a list whose rows are of all accounts, so that a page takes as long however many there are: the ids of
 * its rows are found by an index, only these rows are read in full, and beyond `mostCountedRows` the number of all is
 * the database's estimate.
 */
export async function readLongPage<DB, Tables extends keyof DB, Row>(
  db: Db,
  { all, parts, read, idOf }: LongList<DB, Tables, Row>,
  { page, rowsPerPage }: PageQuery,
): Promise<{ rows: Row[]; figures: PageFigures }> {
  const [ids, counted] = await Promise.all([findIds(parts, rowsPerPage, (page - 1) * rowsPerPage), countAbout(db, all)])
  const found = new Map((ids.length > 0 ? await read(ids) : []).map((row) => [idOf(row), row]))
  return { rows: ids.flatMap((id) => found.get(id) ?? []), figures: { page, rowsPerPage, ...counted } }
}

async function findIds(parts: readonly ListPart[], limit: number, offset: number): Promise<string[]> {
  const ids: string[] = []
  let before = offset
  for (const [at, part] of parts.entries()) {
    const found = await part.ids(limit - ids.length, before)
    ids.push(...found)
    if (ids.length === limit) break
    if (found.length > 0) before = 0
    else if (before > 0 && at < parts.length - 1) before = Math.max(0, before - (await part.count()))
  }
  return ids
}

/** How many rows `query` has; beyond `mostCountedRows`, about how many. */
export async function countAbout<DB, Tables extends keyof DB, Row>(
  db: Db,
  query: SelectQueryBuilder<DB, Tables, Row>,
): Promise<Pick<PageFigures, 'rowsNumber' | 'isAbout'>> {
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
