import { createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { createClockWatch } from '../platform/careful/index.ts'
import { useDatabase } from '../platform/db/testing/use-database.ts'
import { enqueueJob } from '../platform/jobs/index.ts'
import { silentLog } from '../platform/log.ts'
import { storedTimes } from './stored-times.ts'

const harness = useDatabase()
const day = 24 * 3600_000

/** Of columns that are named like these: those that need not be brought back, and why. */
const excused: Record<string, string> = {
  'account_exports.until_at': 'a deadline',
  'attention_items.snoozed_until': 'a person put it off, and sees until when',
  'certificates.not_after': 'the authority wrote it',
  'certificates.renew_at': 'chosen between two times of the certificate',
  'cluster_addresses.until_at': 'when it ended',
  'cluster_deadlines.until': 'a deadline',
  'domains.contest_until': 'a deadline',
  'erased_documents.kept_until': 'a deadline',
  'invoices.valid_until': 'a deadline, in the time of the account',
  'mails.usable_until': 'a deadline: what is mailed says it too',
  'resting_names.until_at': 'a deadline',
  'sandbox_payments.action_until': 'a deadline of a page',
  'snapshots.pinned_until': 'keeps what it is about, and is never early',
  'stopped_spans.until_at': 'in the time of the account',
}

test('every column before whose time nothing is done is brought back, or says why not', async () => {
  const { rows } = await harness.pool.query<{ column: string }>(
    `select table_name || '.' || column_name as column from information_schema.columns
     where table_schema = 'public' and data_type = 'timestamp with time zone'
       and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')
       and column_name ~ '^(next_|retry_|renew_|scrub_at|look_at|run_at|not_after)|_until$|^slots_|^until_'`,
  )
  const named = storedTimes.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`))
  const open = rows.map(({ column }) => column).filter((column) => !named.includes(column) && !(column in excused))
  expect(open).toEqual([])
  expect(rows.length).toBeGreaterThan(10)
})

test('once a clock that ran ahead is set back, what it wrote waits for no day to come', async () => {
  const clock = createTestClock(new Date('2027-03-01T10:00:00Z'))
  let mono = 1000
  const watch = createClockWatch({
    db: harness.db,
    clock,
    log: silentLog,
    storedTimes,
    readOutside: async () => undefined,
    monotonicMs: () => mono,
  })
  let told = 0
  watch.onSetBack(() => {
    told += 1
  })
  clock.advance(16 * day)
  await watch.look()
  const ahead = clock.now()
  await enqueueJob(harness.db, 'cluster.reconcile', { id: 'x' }, { key: 'x', runAt: ahead })
  await harness.pool.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution) values ('a', $1, $1)`,
    [ahead],
  )
  await harness.pool.query(
    `insert into zone_copies (server, domain, next_try_at, checked_at) values ('s', 'a.test', $1, null)`,
    [ahead],
  )
  // References are of no matter here.
  const connection = await harness.pool.connect()
  try {
    await connection.query(`set session_replication_role = replica`)
    await connection.query(
      `insert into backups (id, owner, cluster_id, name, repo_id, paths, schedule, time_zone, keep, state, slots_until,
         next_at, password, created_at)
       values ('bk_1', 'o', 'c', 'n', 'r', '[]', '{}', 'UTC', '{}', 'active', $1, $1, 'missing', $1)`,
      [ahead],
    )
    await connection.query(
      `insert into vault_files (repo_id, type, name, bytes, stored_at, scrub_at, scrubbed_at)
       values ('r', 'data', 'sound', 1, $1, $2, $3), ('r', 'data', 'ahead', 1, $1, $4, $5)`,
      [
        new Date('2027-01-01'),
        new Date('2027-03-20'),
        new Date('2027-02-20'),
        new Date(ahead.getTime() + 30 * day),
        ahead,
      ],
    )
    await connection.query(
      `insert into instances (id, owner, cluster_id, role, status, cpu_core_count, memory_mib, disk_mib, install_task,
         created_at, changed_at, drain_task, drain_until)
       values ('in_1', 'o', 'c', 'worker', 'destroying', 1, 1, 1, 't', $1, $1, 'd', $2)`,
      [ahead, new Date(ahead.getTime() + 60_000)],
    )
  } finally {
    connection.release(true)
  }
  expect(told).toBe(0)

  clock.advance(-16 * day)
  mono += 1000
  await watch.look()
  const now = clock.now()
  const times = async (query: string) => (await harness.pool.query<{ at: Date | null }>(query)).rows.map(({ at }) => at)
  expect(await times('select run_at as at from graphile_worker._private_jobs')).toEqual([now])
  expect(await times('select last_execution as at from graphile_worker._private_known_crontabs')).toEqual([now])
  expect(await times('select next_try_at as at from zone_copies union all select checked_at from zone_copies')).toEqual(
    [now, null],
  )
  expect(await times('select next_at as at from backups union all select slots_until from backups')).toEqual([now, now])
  expect(await times('select scrub_at as at from vault_files order by name')).toEqual([now, new Date('2027-03-20')])
  expect(await times('select changed_at as at from instances union all select drain_until from instances')).toEqual([
    now,
    new Date(now.getTime() + 60_000),
  ])
  expect(told).toBe(1)
})
