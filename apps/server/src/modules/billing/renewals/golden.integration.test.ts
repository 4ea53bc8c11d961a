import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestClock } from '@atoll/testkit'
import { describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { Golden, playLife } from '../testing/golden-life.ts'

const folder = join(import.meta.dirname, '../testing/golden')
const database = useDatabase()

describe('the timeline that is written down of', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  test.each(files)('%s is what happens', async (file) => {
    const life = Golden.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))
    expect(await playLife(database, createTestClock(new Date('2026-03-09T12:00:00Z')), life)).toEqual(life.timeline)
  })
})
