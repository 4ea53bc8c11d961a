import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, patienceMs, type TestDatabase, until } from '@atoll/testkit'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { bringBackTimes, platformTimes } from '../careful/set-back.ts'
import { createDatabase, type Database } from '../db/index.ts'
import { silentLog } from '../log.ts'
import { defineJob, enqueueJob, enqueueJobs, type Job, type RunningWorker, startWorker } from './index.ts'
import { releasedAfterMs } from './worker-lock.ts'

let scratch: TestDatabase
let database: Database
let workers: RunningWorker[]

beforeEach(async () => {
  scratch = await createTestDatabase()
  database = createDatabase({ connectionString: scratch.url })
  workers = []
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await database.close()
  await scratch.drop()
})

async function start(job: Job, concurrency = 4): Promise<RunningWorker> {
  const worker = await startWorker({
    connection: { connectionString: scratch.url },
    jobs: [job],
    log: silentLog,
    concurrency,
  })
  workers.push(worker)
  return worker
}

/** A job that records the notes it was given. */
function recorder(
  notes: string[],
  during: (note: string, signal: AbortSignal) => Promise<void> = async () => undefined,
): Job {
  return defineJob({
    name: 'test.record',
    lane: 'own',
    waits: 'never',
    payload: z.object({ note: z.string() }),
    async run({ note }, { signal }) {
      notes.push(note)
      await during(note, signal)
    },
  })
}

async function listJobs(): Promise<{ locked_by: string | null; attempts: number }[]> {
  const { rows } = await database.pool.query('select locked_by, attempts from graphile_worker._private_jobs')
  return rows
}

describe('enqueuing', () => {
  it('happens with the transaction, and not without it', async () => {
    const notes: string[] = []
    await start(recorder(notes))
    const rollback = database.db.transaction().execute(async (trx) => {
      await enqueueJob(trx, 'test.record', { note: 'rolled back' })
      throw new Error('no')
    })
    await expect(rollback).rejects.toThrow('no')
    expect(await listJobs()).toEqual([])
    await database.db.transaction().execute((trx) => enqueueJob(trx, 'test.record', { note: 'committed' }))
    await until('the committed job ran', () => notes.length > 0)
    expect(notes).toEqual(['committed'])
  })

  it('takes many at once, each under its own key, in place of what waits under it', async () => {
    await enqueueJob(database.db, 'test.record', { note: 'before' }, { key: 'note-7' })
    await enqueueJobs(database.db, 'test.record', [])
    const asked = Array.from({ length: 200 }, (_, n) => ({ payload: { note: String(n) }, key: `note-${n}` }))
    await enqueueJobs(database.db, 'test.record', asked)
    expect(await listJobs()).toHaveLength(200)
    const notes: string[] = []
    await start(recorder(notes))
    await until('the queue is empty', async () => (await listJobs()).length === 0)
    expect(new Set(notes)).toEqual(new Set(asked.map(({ payload }) => payload.note)))
    expect(notes).toHaveLength(200)
  })

  it('keeps one waiting job a key, with the newest payload', async () => {
    for (const note of ['first', 'second', 'third']) {
      await enqueueJob(database.db, 'test.record', { note }, { key: 'k' })
    }
    const notes: string[] = []
    await start(recorder(notes))
    await until('the queue is empty', async () => (await listJobs()).length === 0)
    expect(notes).toEqual(['third'])
  })

  it('while a job of that key runs lets another wait', async () => {
    const notes: string[] = []
    const release = Promise.withResolvers<void>()
    await start(recorder(notes, (note) => (note === 'first' ? release.promise : Promise.resolve())))
    await enqueueJob(database.db, 'test.record', { note: 'first' }, { key: 'k' })
    await until('the first runs', () => notes.length === 1)
    await enqueueJob(database.db, 'test.record', { note: 'second' }, { key: 'k' })
    release.resolve()
    await until('the second ran', () => notes.length === 2)
    expect(notes).toEqual(['first', 'second'])
  })

  it('can wait for a moment', async () => {
    await enqueueJob(database.db, 'test.record', { note: 'later' }, { runAt: new Date(Date.now() + 3_600_000) })
    const notes: string[] = []
    await start(recorder(notes))
    await enqueueJob(database.db, 'test.record', { note: 'now' })
    // A job is taken out of the queue some time after it ran.
    await until('the other one ran', async () => notes.length === 1 && (await listJobs()).length === 1)
    expect(notes).toEqual(['now'])
  })
})

describe('running', () => {
  it('tries again after a failure', async () => {
    const notes: string[] = []
    await start(
      recorder(notes, async () => {
        if (notes.length === 1) throw new Error('the first time fails')
      }),
    )
    await enqueueJob(database.db, 'test.record', { note: 'again' })
    await until('it ran twice', () => notes.length === 2)
    await until('and is done', async () => (await listJobs()).length === 0)
  })

  it('fails a payload that is not what the job takes', async () => {
    const notes: string[] = []
    await start(recorder(notes))
    await enqueueJob(database.db, 'test.record', { wrong: true })
    await until('it was tried', async () => (await listJobs())[0]?.attempts === 1)
    expect(notes).toEqual([])
  })

  it('refuses two jobs of one name', async () => {
    const connection = { connectionString: scratch.url }
    const twice = startWorker({ connection, jobs: [recorder([]), recorder([])], log: silentLog })
    await expect(twice).rejects.toThrow(/test\.record/)
  })
})

describe('stopping', () => {
  it('waits for the job under way and writes its result', async () => {
    const notes: string[] = []
    const release = Promise.withResolvers<void>()
    const worker = await start(recorder(notes, () => release.promise))
    await enqueueJob(database.db, 'test.record', { note: 'long' })
    await until('it runs', () => notes.length === 1)
    const stopped = worker.stop()
    expect(await listJobs()).toMatchObject([{ locked_by: expect.any(String) }])
    release.resolve()
    await stopped
    workers = []
    expect(await listJobs()).toEqual([])
  })

  it('aborts a job that takes too long, which runs again elsewhere', async () => {
    const notes: string[] = []
    const worker = await start(
      recorder(
        notes,
        (_, signal) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
      ),
    )
    await enqueueJob(database.db, 'test.record', { note: 'endless' })
    await until('it runs', () => notes.length === 1)
    await worker.stop()
    workers = []
    expect(await listJobs()).toMatchObject([{ locked_by: null, attempts: 1 }])
  })
})

it('a worker takes jobs again after the database went away in the middle of one', async () => {
  const notes: string[] = []
  const release = Promise.withResolvers<void>()
  const worker = await start(recorder(notes, (note) => (note === 'first' ? release.promise : Promise.resolve())))
  await enqueueJob(database.db, 'test.record', { note: 'first' })
  await until('it runs', () => notes.length === 1)

  const admin = new Client({ connectionString: scratch.url.replace(/\/test_\w+/, '/postgres') })
  await admin.connect()
  const name = /test_\w+/.exec(scratch.url)?.[0]
  // As when PostgreSQL is gone: no connection is left, and none is let in.
  await admin.query(`alter database ${name} allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  release.resolve()
  await until('the queue gave up', () => !worker.running())
  await admin.query(`alter database ${name} allow_connections true`)
  await admin.end()

  await until('it is open again', () => worker.running())
  await enqueueJob(database.db, 'test.record', { note: 'second' })
  await until('the next job ran, and the first again', () => notes.includes('second') && notes.lastIndexOf('first') > 0)
  await until('nothing is left', async () => (await listJobs()).length === 0)
})

describe('a worker that dies', () => {
  let children: ChildProcess[]
  beforeEach(() => {
    children = []
  })
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL')
  })

  /** Starts a real worker process; resolves once it holds the job. */
  async function startCrashing(): Promise<ChildProcess> {
    const program = fileURLToPath(new URL('./worker.fixture.ts', import.meta.url))
    const child = spawn(process.execPath, [program, scratch.url], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    const lines = createInterface({ input: child.stdout })
    await new Promise<void>((resolve) => lines.on('line', (line) => line.startsWith('took') && resolve()))
    return child
  }

  it.each([
    { name: 'test.hang', lane: { lane: 'own' } as const },
    { name: 'test.wait', lane: { lane: 'mails', accountOf: () => 'an account' } as const },
  ])('by kill -9 has its job $name run again by another one, well within ten seconds', async ({ name, lane }) => {
    expect(releasedAfterMs).toBeLessThan(10_000)
    await enqueueJob(database.db, name, { note: 'precious' })
    const crashing = await startCrashing()
    const ran: number[] = []
    const rescue = defineJob({
      name,
      ...lane,
      waits: 'never',
      payload: z.object({ note: z.literal('precious') }),
      run: async (_, { attempt }) => {
        ran.push(attempt)
      },
    })
    await start(rescue)
    crashing.kill('SIGKILL')
    await until('the job ran again', () => ran.length > 0)
    expect(ran).toEqual([2])
    await until('and is done', async () => (await listJobs()).length === 0)
  })

  it('is not confused with one that only lost its connections: that one keeps its job', async () => {
    await enqueueJob(database.db, 'test.hang', { note: 'kept' })
    await startCrashing()
    await enqueueJob(database.db, 'test.hang', { note: 'lost' })
    const crashing = await startCrashing()
    const taken: string[] = []
    await start(
      defineJob({
        name: 'test.hang',
        lane: 'own',
        waits: 'never',
        payload: z.object({ note: z.string() }),
        run: async ({ note }) => {
          taken.push(note)
        },
      }),
    )
    const lockHolders = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'atoll worker lock' and datname = current_database()`
    await database.pool.query(lockHolders)
    crashing.kill('SIGKILL')
    // Both were without a lock from the same moment on: what frees the one's job would have freed the other's.
    await until('the job of the one that died ran again', () => taken.length > 0)
    expect(taken).toEqual(['lost'])
    await until('only the other is left', async () => (await listJobs()).length === 1)
    expect(await listJobs()).toMatchObject([{ locked_by: expect.any(String), attempts: 1 }])
  })
})

describe('a clock that is set back', () => {
  it('does not keep jobs that the clock starts from running: the queue is opened again', async () => {
    const minute = 60_000
    const ticks = defineJob({
      name: 'test.tick',
      lane: 'own',
      waits: 'never',
      payload: z.unknown(),
      cron: '* * * * *',
      run: async () => undefined,
    })
    // A minute that was missed is no failure: there is another one.
    const timeoutMs = 2 * patienceMs
    const lastRun = async () => {
      const { rows } = await database.pool.query<{ at: Date | null }>(
        'select last_execution as at from graphile_worker._private_known_crontabs',
      )
      return rows[0]?.at?.getTime() ?? 0
    }
    const now = Date.now() - (Date.now() % minute)
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true })
    try {
      vi.setSystemTime(now + 300 * minute - 2000)
      const worker = await start(ticks)
      await until('a run ahead', async () => (await lastRun()) >= now + 300 * minute, { timeoutMs })
      vi.setSystemTime(now - 2000)
      await bringBackTimes(database.db, platformTimes, new Date())
      expect(await lastRun()).toBeLessThan(now)
      worker.startOver()
      await until('a run of now', async () => (await lastRun()) >= now, { timeoutMs })
    } finally {
      vi.useRealTimers()
    }
  })
})
