import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, parseCronItems, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import { createPool, type DatabaseConnection, queryTimeoutMs, type Tables } from '../db/index.ts'
import type { Log } from '../log.ts'
import type { Job } from './define.ts'
import { countRuns, type LaneRuns } from './lane-run.ts'
import { type Lane, type LaneLimits, lanes, strangerLanes } from './lanes.ts'
import { taskListOf } from './tasks.ts'
import { holdWorkerLock, startDeadWorkerSweep } from './worker-lock.ts'

export interface WorkerOptions {
  connection: DatabaseConnection
  jobs: readonly Job[]
  log: Log
  /** Jobs of lane `own` at a time; default 10. */
  concurrency?: number
  /** Of the other lanes, instead of what lanes.ts says. */
  limits?: Partial<typeof strangerLanes>
  /** Told of every finished run: its job, how it ended and how long it took in seconds. */
  onFinished?: (job: string, outcome: 'done' | 'failed', seconds: number) => void
  /** Before each run, before it is asked whether it has to wait: compares the clock. */
  beforeRun?: () => Promise<void>
}

export interface RunningWorker {
  /** False once it has stopped, and while the queue is away. */
  running(): boolean
  /** Reopens the queue: the clock was set back, and the queue's timers wait for the old time. */
  startOver(): void
  /**
   * Takes no more jobs, waits for those running (their signal is aborted after 5 s) and for their results to be
   * written.
   */
  stop(): Promise<void>
}

/** How long a running job may go on at shutdown before its signal is aborted, ms. */
const abortAfterMs = 5000

/** How long to wait before the queue is opened again, ms. */
const reopenMs = 500

/** Connections that fetch jobs and write results for all lanes: each such query takes a few milliseconds. */
const fetching = 8

/**
 * Connections of the queue at most, besides those that jobs use: of each lane one that listens, those that fetch, and
 * the one that holds the worker's locks.
 */
export const queueConnections = lanes.length + fetching + 1

/**
 * One life of the queue, with all of its lanes. It ends when the result of a job could not be written because the
 * connection to PostgreSQL was lost: graphile-worker then stops as a whole, without an error that could be awaited.
 */
interface Queue {
  /** Resolves when graphile-worker gave up, or was stopped. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** Starts taking jobs, and starts again when the queue gives up. The job queue's tables must exist (`migrate`). */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { connection, log } = options
  // Jobs use the server's own pool; this one serves the queue: fetching and results, its LISTEN connection, the sweep,
  // and what a run may have to wait for.
  const pool = createPool(connection, { log, max: lanes.length + fetching, queryTimeoutMs })
  const used = lanesOf(options, pool)
  const stopping = new AbortController()
  let queue: Queue | undefined
  try {
    queue = await openQueue(options, used, pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  const sweep = startDeadWorkerSweep(pool, log)
  let isStartedOver = false
  const kept = keepOpen(queue)

  async function keepOpen(first: Queue): Promise<void> {
    for (let current: Queue | undefined = first; current; current = await reopen()) {
      queue = current
      await current.ended
      queue = undefined
      // Its jobs are free for others, and for its successor, as soon as its lock is.
      await current.stop()
      if (!stopping.signal.aborted && !isStartedOver) log.error('the job queue gave up; opening it again')
      isStartedOver = false
    }
  }

  /** Undefined when the worker is asked to stop meanwhile. */
  async function reopen(): Promise<Queue | undefined> {
    while (!stopping.signal.aborted) {
      try {
        const opened = await openQueue(options, used, pool)
        if (!stopping.signal.aborted) return opened
        await opened.stop()
      } catch (error) {
        log.warn({ err: error }, 'the job queue cannot be opened yet')
        await sleep(reopenMs, undefined, { signal: stopping.signal }).catch(() => undefined) // aborted: the loop ends
      }
    }
  }

  return {
    running: () => queue !== undefined,
    startOver() {
      if (!queue || stopping.signal.aborted) return
      isStartedOver = true
      log.warn('the job queue is opened anew')
      queue.stop().catch((error: unknown) => log.warn({ err: error }, 'the job queue did not stop in order'))
    },
    async stop() {
      stopping.abort()
      await sweep.stop()
      await queue?.stop()
      await kept
      await pool.end()
    },
  }
}

/** A lane with jobs, as this worker runs it. */
interface UsedLane {
  places: number
  /** Undefined in lane `own`. */
  runs: LaneRuns | undefined
  jobs: readonly Job[]
  tasks: TaskList
}

function lanesOf(options: WorkerOptions, pool: Pool): UsedLane[] {
  const { limits: _, ...facts } = options
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const twice = options.jobs.find(({ name }, n) => options.jobs.findIndex((job) => job.name === name) !== n)
  if (twice) throw new Error(`Two jobs are named ${twice.name}`)
  return lanes.flatMap((lane) => {
    const jobs = options.jobs.filter((job) => job.lane === lane)
    if (jobs.length === 0) return []
    const limits = limitsOf(lane, options)
    const runs = limits && countRuns(limits)
    const tasks = taskListOf(jobs, { ...facts, db, ...(limits && runs && { limits: { ...limits, runs } }) })
    return [{ places: limits?.places ?? options.concurrency ?? 10, runs, jobs, tasks }]
  })
}

function limitsOf(lane: Lane, { limits }: WorkerOptions): LaneLimits | undefined {
  return lane === 'own' ? undefined : (limits?.[lane] ?? strangerLanes[lane])
}

async function openQueue(options: WorkerOptions, used: readonly UsedLane[], pool: Pool): Promise<Queue> {
  const open: Awaited<ReturnType<typeof runQueue>>[] = []
  const over = new Set<Runner>()
  const stopRunner = async (runner: Runner) => {
    if (over.has(runner)) return
    try {
      await runner.stop()
    } catch (error) {
      // It gave up meanwhile, as the others did.
      if (!over.has(runner)) options.log.warn({ err: error }, 'a lane of the job queue did not stop in order')
    }
  }
  const stopRunners = async () => void (await Promise.all(open.map(({ runner }) => stopRunner(runner))))
  try {
    for (const lane of used) {
      const opened = await runQueue(options, lane, pool)
      open.push(opened)
      void opened.ended.then(() => over.add(opened.runner))
    }
    const poolIds = open.map(({ poolId }) => poolId)
    const lock = await holdWorkerLock(options.connection, poolIds, options.log)
    let stopped: Promise<void> | undefined
    const stop = async () => {
      await stopRunners()
      // Released only when no job runs any more: without it, this worker counts as dead.
      await lock.release()
    }
    return {
      // A failure that ends one lane ends the others too.
      ended: Promise.race(open.map(({ ended }) => ended)),
      stop() {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    await stopRunners()
    throw error
  }
}

/**
 * Starts graphile-worker for one lane. `poolId` is written to `locked_by` of the jobs that it takes; `ended` resolves
 * when it stops.
 */
async function runQueue(
  { log }: WorkerOptions,
  { places, runs, jobs, tasks }: UsedLane,
  pool: Pool,
): Promise<{ runner: Runner; poolId: string; ended: Promise<void> }> {
  const events: WorkerEvents = new EventEmitter()
  const created = new Promise<string>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(workerPool.id))
  })
  const ended = new Promise<void>((resolve) => {
    events.once('stop', () => resolve())
  })
  events.on('job:failed', ({ job, error }) => {
    const fields = { err: error, job: job.task_identifier, jobId: job.id, attempts: job.attempts }
    log.error(fields, 'a job failed for the last time')
  })
  const runner = await run({
    pgPool: pool,
    events,
    logger: new Logger(() => (level, message) => {
      if (level === 'error') log.error({ from: 'queue' }, message)
      // All lanes share the connections that fetch, which is meant so: `fetching`.
      else if (level === 'warning' && !message.includes('maxPoolSize')) log.warn({ from: 'queue' }, message)
      else log.trace({ from: 'queue' }, message)
    }),
    concurrency: places,
    ...(runs && { forbiddenFlags: runs.listFull }),
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: abortAfterMs,
    taskList: tasks,
    parsedCronItems: parseCronItems(
      jobs.flatMap((job) => (job.cron ? [{ task: job.name, match: job.cron, identifier: job.name }] : [])),
    ),
    // Batched results are written after a graceful stop resolved, and lost: the finished job would run again.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })
  // Its final error has been logged by then.
  runner.promise.catch(() => undefined)
  return { runner, poolId: await created, ended }
}
