import { createTestDatabase, type TestDatabase, until } from '@atoll/testkit'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDatabase, type Database } from '../db/index.ts'
import { silentLog } from '../log.ts'
import { defineJob, enqueueJob, type Job, type RunningWorker, startWorker } from './index.ts'
import { type StrangerLane, strangerLanes } from './lanes.ts'
import { queueConnections } from './worker.ts'

let scratch: TestDatabase
let database: Database
let workers: RunningWorker[]
/** Opens what the jobs of a test wait for. */
let gate: PromiseWithResolvers<void>

beforeEach(async () => {
  scratch = await createTestDatabase()
  database = createDatabase({ connectionString: scratch.url }, { max: 4 })
  workers = []
  gate = Promise.withResolvers()
})
afterEach(async () => {
  gate.resolve()
  await Promise.all(workers.map((worker) => worker.stop()))
  await database.close()
  await scratch.drop()
})

const Asked = z.object({ account: z.string(), n: z.number() })
type Asked = z.output<typeof Asked>
const endless = 3_600_000
const limits = Object.fromEntries(
  Object.keys(strangerLanes).map((lane) => [lane, { places: 4, share: 2, deadlineMs: endless }]),
) as Record<StrangerLane, { places: number; share: number; deadlineMs: number }>

function jobIn(lane: Job['lane'], run: (asked: Asked, signal: AbortSignal) => Promise<void>): Job {
  const common = { name: `test.${lane}`, waits: 'never', payload: Asked } as const
  const work = (asked: Asked, { signal }: { signal: AbortSignal }) => run(asked, signal)
  if (lane === 'own') return defineJob({ ...common, lane, run: work }) as Job
  return defineJob({ ...common, lane, accountOf: ({ account }) => account, run: work }) as Job
}

async function start(jobs: Job[], changed: Partial<typeof limits> = {}): Promise<void> {
  const connection = { connectionString: scratch.url }
  const worker = await startWorker({
    connection,
    jobs,
    log: silentLog,
    concurrency: 4,
    limits: { ...limits, ...changed },
  })
  workers.push(worker)
}

async function ask(lane: Job['lane'], account: string, n = 0): Promise<void> {
  await enqueueJob(database.db, `test.${lane}`, { account, n })
}

async function countLeft(): Promise<number> {
  const { rows } = await database.pool.query<{ left: number }>('select count(*)::int as left from graphile_worker.jobs')
  return rows[0]?.left ?? 0
}

describe('what strangers keep waiting', () => {
  const strangers = Object.keys(strangerLanes) as StrangerLane[]

  it.each(strangers)('in lane %s delays nothing in another lane, however many accounts it comes from', async (lane) => {
    const ran: string[] = []
    const note = async (asked: Asked) => void ran.push(asked.account)
    const others = (['own', ...strangers] as const).filter((other) => other !== lane)
    const hung = new Set<string>()
    const hang = jobIn(lane, async ({ account }) => {
      hung.add(account)
      await gate.promise
    })
    await start([hang, ...others.map((other) => jobIn(other, note))])
    for (let account = 0; account < 20; account += 1) await ask(lane, `free ${account}`)
    await until('every place of the lane is taken', () => hung.size === 4)
    for (const other of others) await ask(other, `stranger in ${other}`)
    await until('the others ran', () => ran.length === others.length)
    expect(hung.size).toBe(4)
    gate.resolve()
    await until('all have run', async () => (await countLeft()) === 0)
    expect(hung.size).toBe(20)
  })

  it('takes no more connections than are counted for a worker, with every place of every lane taken', async () => {
    let running = 0
    const hang = async () => {
      running += 1
      await gate.promise
    }
    const lanes = ['own', ...strangers] as const
    await start(lanes.map((lane) => jobIn(lane, hang)))
    const places = lanes.length * 4
    for (const lane of lanes) for (let n = 0; n < 12; n += 1) await ask(lane, `account ${n}`)
    await until('every place is taken', () => running === places)
    const observer = new Client({ connectionString: scratch.url, application_name: 'the observer' })
    await observer.connect()
    const { rows } = await observer.query<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity
        where datname = current_database() and application_name like 'atoll%'`,
    )
    await observer.end()
    // Besides the queue's there are those of this test.
    expect(rows[0]?.open).toBeLessThanOrEqual(queueConnections + database.pool.totalCount)
  })
})

describe('an account', () => {
  it('has its share of a lane and no more; what is above waits in its place, and each is run once', async () => {
    const running = new Map<string, number>()
    const most = new Map<string, number>()
    const done: string[] = []
    const ends: (() => void)[] = []
    const job = jobIn('mails', async ({ account, n }) => {
      const count = (running.get(account) ?? 0) + 1
      running.set(account, count)
      most.set(account, Math.max(most.get(account) ?? 0, count))
      if (account === 'free') await new Promise<void>((resolve) => ends.push(resolve))
      running.set(account, (running.get(account) ?? 0) - 1)
      done.push(`${account} ${n}`)
    })
    await start([job])
    for (let n = 0; n < 12; n += 1) await ask('mails', 'free', n)
    await until('its share is taken', () => ends.length === 2)
    await ask('mails', 'a stranger')
    await until('the stranger was served', () => done.length > 0)
    expect(done).toEqual(['a stranger 0'])
    expect(ends).toHaveLength(2)
    for (let ended = 0; ended < 12; ended += 1) {
      await until('the next one was taken', () => ends.length > ended)
      ends[ended]?.()
    }
    await until('all have run', async () => (await countLeft()) === 0)
    expect(most.get('free')).toBe(2)
    const own = done.filter((one) => one.startsWith('free'))
    expect([...own].sort()).toEqual(Array.from({ length: 12 }, (_, n) => `free ${n}`).sort())
  })

  it('keeps under its key what was put off, with its attempts', async () => {
    let isHeld = true
    const seen: number[] = []
    const job = jobIn('gateway', async ({ n }) => {
      if (n < 2) return await gate.promise
      seen.push(n)
      if (isHeld) throw new Error('the first time fails')
    })
    await start([job])
    await ask('gateway', 'one', 0)
    await ask('gateway', 'one', 1)
    await enqueueJob(database.db, 'test.gateway', { account: 'one', n: 2 }, { key: 'kept', maxAttempts: 3 })
    // Replaced while it waits for its share: a job that is just being tried runs as it is.
    await until('it waits for its share', () =>
      database.db.transaction().execute(async (trx) => {
        const { rows } = await sql`select from graphile_worker._private_jobs
          where key = 'kept' and flags is not null and locked_at is null for update skip locked`.execute(trx)
        if (rows.length === 0) return false
        await enqueueJob(trx, 'test.gateway', { account: 'one', n: 3 }, { key: 'kept', maxAttempts: 3 })
        return true
      }),
    )
    gate.resolve()
    await until('it was tried', () => seen.length > 0)
    isHeld = false
    await database.pool.query(`update graphile_worker._private_jobs set run_at = now() where key = 'kept'`)
    await until('all have run', async () => (await countLeft()) === 0)
    expect(new Set(seen)).toEqual(new Set([3]))
  })
})

describe('the deadline of a lane', () => {
  it('gives the place of a run that does not end to the next, and has it tried again', async () => {
    let hung = 0
    const ran: string[] = []
    const job = jobIn('webhooks', async ({ account }) => {
      if (account !== 'dead') return void ran.push(account)
      hung += 1
      // It does not even look at its signal.
      await gate.promise
    })
    await start([job], { webhooks: { places: 1, share: 1, deadlineMs: 100 } })
    await ask('webhooks', 'dead')
    await until('it hangs', () => hung === 1)
    await ask('webhooks', 'alive')
    await until('the next one ran', () => ran.length === 1)
    const failure = async () => {
      const { rows } = await database.pool.query<{ last_error: string | null }>(
        `select last_error from graphile_worker._private_jobs where payload->>'account' = 'dead'`,
      )
      return rows[0]?.last_error
    }
    await until('its failure is written', async () => (await failure())?.includes('had not ended after 100 ms'))
    gate.resolve()
    await until('it ended when it was tried again', async () => (await countLeft()) === 0)
    expect(hung).toBeGreaterThan(1)
  })

  it('lets a run end in order that heeds its signal', async () => {
    let isAborted = false
    const job = jobIn('names', async (_, signal) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      isAborted = true
    })
    await start([job], { names: { places: 1, share: 1, deadlineMs: 1000 } })
    await ask('names', 'slow')
    await until('it is over', async () => isAborted && (await countLeft()) === 0)
  })
})
