import { createTestClock } from '@atoll/testkit'
import { test } from 'vitest'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { start } from '../../testing/usage-harness.ts'
import { expectSums } from '../../testing/usage-history.ts'

const clock = createTestClock(start)
const database = useDatabase()

test('sums over clusters and days are what was billed in many histories', async () => {
  await expectSums(database, clock, 20)
})
