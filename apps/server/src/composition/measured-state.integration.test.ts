import { expect, test } from 'vitest'
import { createMetrics } from '../http/operations/metrics.ts'
import { systemClock } from '../platform/clock.ts'
import { useDatabase } from '../platform/db/testing/use-database.ts'
import { measuredState } from './measured-state.ts'

const harness = useDatabase()

test('each measurement of the state can be taken from the database, and readiness by its checks', async () => {
  const did = 'did:key:z6MkTest'
  await harness.pool.query('insert into dids (did, registered_at) values ($1, now())', [did])
  await harness.pool.query(
    "insert into accounts (did, account_id, can_create_cluster, vcpu_quota, created_at) values ($1, 'ac_test', true, 1, now())",
    [did],
  )
  await harness.pool.query(
    `insert into mails (id, userid, kind, recipient, locale, state, created_at, usable_until, ended_at)
     select 'ml_' || n, $1, 'k', 'a@atoll.test', 'en-US', 'failed', now(), now(), now() from generate_series(1, 2) n`,
    ['ac_test'],
  )
  const state = measuredState({ db: harness.db, clock: systemClock })
  const metrics = createMetrics(harness.pool, { catalogProblem: () => undefined, state })
  metrics.addChecks({ database: async () => undefined, queue: async () => 'no job has run for 70 s' })
  const text = await metrics.text()
  for (const row of [
    ...['atoll_metrics_failures_total 0', 'atoll_mails{state="failed"} 2', 'atoll_operations_late 0'],
    ...['atoll_agents{state="connected"} 0', 'atoll_backups_late 0', 'atoll_migrations_pending 0'],
    ...['atoll_job_wait_seconds 0', 'atoll_ready{check="database"} 1', 'atoll_ready{check="queue"} 0'],
  ])
    expect(text).toContain(`${row}\n`)
})
