import type { PageFigures, PageQuery } from '@atoll/contract/wire'
import type { SelectQueryBuilder } from 'kysely'

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
