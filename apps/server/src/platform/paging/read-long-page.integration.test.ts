import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useDatabase } from '../db/testing/use-database.ts'
import { partOf, readLongPage } from './read-page.ts'

const database = useDatabase()

const numbersOf = (from: number, to: number, condition = sql<boolean>`true`) => {
  const numbers = sql<{ number: number }>`generate_series(${sql.lit(from)}, ${sql.lit(to)})`
  return database.db
    .selectFrom(numbers.as<'numbers'>(sql`numbers(number)`))
    .select(sql<string>`numbers.number::text`.as('id'))
    .where(condition)
}

const read = (most: number, condition?: ReturnType<typeof sql<boolean>>) => {
  const all = numbersOf(1, most, condition)
  return readOf({ all, parts: [partOf(all.orderBy('numbers.number'))] }, 2)
}

const readOf = ({ all, parts }: Pick<Parameters<typeof readLongPage>[1], 'all' | 'parts'>, page: number) => {
  // The rows come in an order of their own.
  const list = { all, parts, read: async (ids: string[]) => ids.toReversed().map(Number), idOf: String }
  return readLongPage(database.db, list, { page, rowsPerPage: 2 })
}

test('counts up to ten thousand rows, and beyond says about how many there are', async () => {
  expect(await read(5)).toEqual({ rows: [3, 4], figures: { page: 2, rowsPerPage: 2, rowsNumber: 5 } })
  expect((await read(10_000)).figures).toEqual({ page: 2, rowsPerPage: 2, rowsNumber: 10_000 })
  expect((await read(25_000)).figures).toMatchObject({ rowsNumber: 25_000, isAbout: true })
  // Of these the database expects a hundred.
  expect((await read(20_000, sql`number % 1 = 0`)).figures).toMatchObject({ rowsNumber: 10_000, isAbout: true })
  // Of these it expects more than twelve thousand.
  expect((await read(25_000, sql`number in (select 3) or number in (select 4)`)).figures).toEqual({
    page: 2,
    rowsPerPage: 2,
    rowsNumber: 2,
  })
})

test('each row of a list in parts stands on one page, in order', async () => {
  // Of 3, 0, 1 and 5 rows.
  const bounds = [
    [1, 3],
    [4, 3],
    [4, 4],
    [5, 9],
  ] as const
  const parts = bounds.map(([from, to]) => partOf(numbersOf(from, to).orderBy('numbers.number')))
  const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => readOf({ all: numbersOf(1, 9), parts }, page)))
  expect(pages.map(({ rows }) => rows)).toEqual([[1, 2], [3, 4], [5, 6], [7, 8], [9], []])
})
