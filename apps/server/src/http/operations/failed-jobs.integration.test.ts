import { createTestDatabase } from '@atoll/testkit'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createDatabase } from '../../platform/db/index.ts'
import { enqueueJob, failedJobsSweep } from '../../platform/jobs/index.ts'
import { silentLog } from '../../platform/log.ts'
import { createMetrics } from './metrics.ts'

it('jobs given up a day ago no longer count; others do', async () => {
  await using scratch = await createTestDatabase()
  const { db, pool, close } = createDatabase({ connectionString: scratch.url })
  try {
    for (const name of ['old', 'fresh', 'waiting']) await enqueueJob(db, name, {}, { maxAttempts: 1 })
    const giveUp = (name: string, days: number) =>
      sql`update graphile_worker._private_jobs set attempts = max_attempts, updated_at = now() - ${days} * interval '1 day'
          where task_id = (select id from graphile_worker._private_tasks where identifier = ${name})`.execute(db)
    await giveUp('old', 2)
    await giveUp('fresh', 0.5)
    expect(await createMetrics(pool).text()).toContain('atoll_jobs{state="failed"} 2')
    await failedJobsSweep({ db }).run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
    const text = await createMetrics(pool).text()
    expect(text).toContain('atoll_jobs{state="failed"} 1')
    expect(text).toContain('atoll_jobs{state="waiting"} 1')
  } finally {
    await close()
  }
})
