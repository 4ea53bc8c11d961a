import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useDatabase } from '../db/testing/use-database.ts'
import { readLongPage } from './read-page.ts'

const database = useDatabase()

const read = (most: number, condition = sql<boolean>`true`) => {
  const numbers = sql<{ number: number }>`generate_series(1, ${sql.lit(most)})`.as<'numbers'>(sql`numbers(number)`)
  const query = database.db.selectFrom(numbers).select('numbers.number').where(condition).orderBy('numbers.number')
  return readLongPage(database.db, query, { page: 2, rowsPerPage: 2 })
}

test('counts up to ten thousand rows, and beyond says about how many there are', async () => {
  expect(await read(5)).toEqual({
    rows: [{ number: 3 }, { number: 4 }],
    figures: { page: 2, rowsPerPage: 2, rowsNumber: 5 },
  })
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
