import { createTestClock, createTestDatabase } from '@atoll/testkit'
import { createDatabase } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { samplesMaintenance } from '../jobs/samples-maintain.ts'
import { describeSampleStore } from '../testing/sample-conformance.ts'
import { openSamples } from './postgres-samples.ts'

const clock = createTestClock(new Date('2026-06-01T00:00:00Z'))

describeSampleStore('PostgreSQL', clock, async () => {
  const testDatabase = await createTestDatabase()
  const { db, close } = createDatabase({ connectionString: testDatabase.url })
  const job = samplesMaintenance({ db, clock })
  return {
    store: openSamples(db, clock),
    tend: () => job.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 }),
    async close() {
      await close()
      await testDatabase.drop()
    },
  }
})
