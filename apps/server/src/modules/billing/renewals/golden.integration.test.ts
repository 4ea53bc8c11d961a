import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestClock, createTestDatabase, type TestDatabase } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type Database } from '../../../platform/db/index.ts'
import { Golden, playLife } from '../testing/golden-life.ts'

const folder = join(import.meta.dirname, '../testing/golden')
let scratch: TestDatabase
let database: Database

beforeAll(async () => {
  scratch = await createTestDatabase()
  database = createDatabase({ connectionString: scratch.url })
})
afterAll(async () => {
  await database.close()
  await scratch.drop()
})

describe('the timeline that is written down of', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  test.each(files)('%s is what happens', async (file) => {
    const life = Golden.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))
    expect(await playLife(database, createTestClock(), life)).toEqual(life.timeline)
  })
})
