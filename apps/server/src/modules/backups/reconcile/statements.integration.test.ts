/** How many statements the runs of the reconciler take that come every minute; `begin` and `commit` count too. */
import { createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { countStatements } from '../../../platform/db/testing/count-statements.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { openBackupHarness, start } from '../testing/backup-harness.ts'

const clock = createTestClock(start)
const database = useDatabase()

test('a run that finds nothing to do', async () => {
  const counted = countStatements(database)
  const harness = await openBackupHarness(counted, clock)
  const id = await harness.createDaily()
  await harness.runNow(id)
  await harness.settleChores(id)
  const sent = await counted.statementsOf(() => harness.reconcile(id))
  expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(42)
  expect(sent.filter((text) => /^(insert|update|delete)/.test(text))).toEqual([])
})
