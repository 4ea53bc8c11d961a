import { until } from '@atoll/testkit'
import { afterEach, expect, test } from 'vitest'
import { findCareful } from '../careful/index.ts'
import { systemClock } from '../clock.ts'
import { useDatabase } from '../db/testing/use-database.ts'
import { startWorker } from '../jobs/index.ts'
import { silentLog } from '../log.ts'
import { checkQueue, type Heartbeat, listHeartbeats, queueHeartbeat, startHeartbeat } from './heartbeat.ts'

const harness = useDatabase()
let heartbeat: Heartbeat | undefined
afterEach(async () => {
  await heartbeat?.stop()
})
const start = (withQueue = false) =>
  startHeartbeat({
    db: harness.db,
    clock: systemClock,
    log: silentLog,
    roles: ['worker'],
    keyIds: ['one'],
    withQueue,
    folder: '/',
  })

test('a process that cannot write is not ready, and says why', async () => {
  // As on a full disk, or a standby: reading goes on.
  await harness.pool.query(`create function no_write() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device'; end $$`)
  await harness.pool.query('create trigger no_write before insert or update on heartbeats execute function no_write()')
  heartbeat = await start()
  expect(await heartbeat.check()).toContain('No space left on device')
  await harness.pool.query('drop trigger no_write on heartbeats')
  await heartbeat.beat()
  expect(await heartbeat.check()).toBeUndefined()
})

test('a database that was brought back under a running process makes it careful', async () => {
  heartbeat = await start()
  await heartbeat.beat()
  await heartbeat.beat()
  expect(await findCareful(harness.db)).toBeUndefined()
  // As by pg_restore of a dump that was taken in between.
  await harness.pool.query('update heartbeats set number = 1')
  await heartbeat.beat()
  expect((await findCareful(harness.db))?.why).toContain('earlier state')
})

test('a worker is ready while the queue runs jobs', async () => {
  expect(await checkQueue(harness.db)).toBe('no job has run yet')
  const worker = await startWorker({
    connection: { connectionString: harness.url },
    jobs: [queueHeartbeat({ db: harness.db })],
    log: silentLog,
  })
  heartbeat = await start(true)
  await until('a job ran', async () => (await checkQueue(harness.db)) === undefined)
  await worker.stop()
  await harness.pool.query(`update queue_heartbeat set at = now() - interval '61 seconds'`)
  expect(await checkQueue(harness.db)).toBe('no job has run for 61 s')
})

test('a process that was killed is silent until another runs in its place; one that ended in order is gone', async () => {
  const killed = await start()
  await harness.pool.query(`update heartbeats set at = now() - interval '31 seconds'`)
  expect(await listHeartbeats(harness.db)).toMatchObject([{ roles: 'worker', isSilent: true }])
  heartbeat = await start()
  expect(await listHeartbeats(harness.db)).toMatchObject([{ roles: 'worker', isSilent: false }])
  await killed.stop()
  await heartbeat.stop()
  expect(await listHeartbeats(harness.db)).toEqual([])
})
