import { until } from '@atoll/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { useDatabase } from '../db/testing/use-database.ts'
import { defineJob, defineTimedJob, enqueueJob, type Job, type RunningWorker, startWorker } from '../jobs/index.ts'
import { silentLog } from '../log.ts'
import {
  beCareful,
  countResumptions,
  endCareful,
  findCareful,
  findHold,
  listEvidence,
  noteEvidence,
  raiseDoubt,
  raiseStartDoubts,
  settleDoubt,
} from './index.ts'

const harness = useDatabase()
const now = new Date('2027-03-01T10:00:00Z')
const resume = () => harness.db.transaction().execute((trx) => endCareful(trx, now))

beforeEach(
  async () => void (await harness.pool.query('truncate doubts, evidence, resumptions, graphile_worker._private_jobs')),
)
let workers: RunningWorker[] = []
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  workers = []
})
async function start(...jobs: Job[]): Promise<void> {
  workers.push(await startWorker({ connection: { connectionString: harness.url }, jobs, log: silentLog }))
}

describe('an act', () => {
  test('waits for what it depends on, and for nothing else', async () => {
    const holdOf = async (act: Parameters<typeof findHold>[1]) => (await findHold(harness.db, act))?.about
    const deadline = { waits: 'deadline' } as const
    const charge = { waits: 'careful', source: 'gateway' } as const
    expect(await holdOf(deadline)).toBeUndefined()
    await raiseDoubt(harness.db, 'clock', 'it jumped', now)
    expect(await Promise.all([holdOf(deadline), holdOf(charge), holdOf({ waits: 'never' })])).toEqual([
      'clock',
      undefined,
      undefined,
    ])
    await raiseStartDoubts(harness.db, ['gateway', 'vault'], now)
    expect(await holdOf(charge)).toBe('gateway')
    expect(await holdOf({ waits: 'careful', source: 'zones http://192.0.2.1' })).toBeUndefined()
    await beCareful(harness.db, 'by hand', now)
    expect(await Promise.all([holdOf(deadline), holdOf(charge), holdOf({ waits: 'never' })])).toEqual([
      'careful',
      'careful',
      undefined,
    ])
  })

  test('is not freed by an answer from before the start', async () => {
    await raiseStartDoubts(harness.db, ['vault'], now)
    await settleDoubt(harness.db, 'vault', new Date(now.getTime() - 1))
    expect(await findHold(harness.db, { waits: 'careful', source: 'vault' })).toBeDefined()
    await settleDoubt(harness.db, 'vault', now)
    expect(await findHold(harness.db, { waits: 'careful', source: 'vault' })).toBeUndefined()
  })
})

describe('evidence that the world is newer', () => {
  const capture = { about: 'gateway', object: 'pay_lost', detail: 'it took 2880 usd for pay_lost', now } as const

  test('makes careful once, until the operator accepts it; each resumption has a number of its own', async () => {
    expect(await noteEvidence(harness.db, capture)).toBe(true)
    expect((await findCareful(harness.db))?.why).toContain('pay_lost')
    expect(await listEvidence(harness.db)).toHaveLength(1)
    expect(await resume()).toBe(1)
    expect(await noteEvidence(harness.db, capture)).toBe(false)
    expect(await findCareful(harness.db)).toBeUndefined()
    expect(await listEvidence(harness.db)).toEqual([])
    expect(await resume()).toBeUndefined()
    await beCareful(harness.db, 'by hand', now)
    expect(await resume()).toBe(2)
    expect(await countResumptions(harness.db)).toBe(2)
  })
})

describe('a job in a process that runs already', () => {
  test('waits as soon as the deployment is careful, and goes on after resume with all its attempts', async () => {
    const ran: string[] = []
    const job = (name: string, waits: Job['waits']) =>
      defineJob({
        name,
        lane: 'own',
        waits,
        payload: z.object({ note: z.string() }),
        run: async ({ note }) => void ran.push(`${name} ${note}`),
      })
    await start(job('test.charge', 'careful'), job('test.read', 'never'))
    await enqueueJob(harness.db, 'test.charge', { note: 'before' }, { key: 'charge' })
    await until('it runs', () => ran.includes('test.charge before'))

    await beCareful(harness.db, 'by hand', now)
    await enqueueJob(harness.db, 'test.charge', { note: 'careful' }, { key: 'charge', maxAttempts: 3 })
    await enqueueJob(harness.db, 'test.read', { note: 'careful' })
    const left = () =>
      harness.pool.query(`select attempts, max_attempts, key, run_at > now() as later from graphile_worker.jobs`)
    await until('it was put off', async () => (await left()).rows.some((row) => row.later === true))
    await until('the other ran', () => ran.includes('test.read careful'))
    await until('only it is left', async () => (await left()).rows.length === 1)
    expect((await left()).rows).toEqual([{ attempts: 0, max_attempts: 3, key: 'charge', later: true }])
    expect(ran).not.toContain('test.charge careful')

    await resume()
    await harness.pool.query(`update graphile_worker._private_jobs set run_at = now()`)
    await until('it runs', () => ran.includes('test.charge careful'))
  })

  test('that the clock starts waits for its next time', async () => {
    const ran: string[] = []
    await beCareful(harness.db, 'by hand', now)
    await start(
      defineTimedJob({
        name: 'test.sweep',
        lane: 'own',
        waits: 'deadline',
        cron: '0 0 1 1 *',
        run: async () => void ran.push('ran'),
      }),
    )
    await enqueueJob(harness.db, 'test.sweep', { _cron: { ts: now.toISOString() } })
    await until('it is over', async () => (await harness.pool.query('select from graphile_worker.jobs')).rowCount === 0)
    expect(ran).toEqual([])
  })
})
