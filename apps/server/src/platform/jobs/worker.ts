import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, parseCronItems, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import { createPool, type DatabaseConnection, queryTimeoutMs } from '../db/index.ts'
import type { Log } from '../log.ts'
import type { Job } from './define.ts'
import { holdWorkerLock, startDeadWorkerSweep } from './worker-lock.ts'

export interface WorkerOptions {
  connection: DatabaseConnection
  jobs: readonly Job[]
  log: Log
  /** Jobs at a time; default 10. */
  concurrency?: number
  /** Told of every finished run: its job, how it ended and how long it took in seconds. */
  onFinished?: (job: string, outcome: 'done' | 'failed', seconds: number) => void
}

export interface RunningWorker {
  /** False once it has stopped, and while the queue is away. */
  running(): boolean
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

/**
 * One life of the queue. It ends by itself when the result of a job could not be written because PostgreSQL went away:
 * graphile-worker then gives up as a whole, without an error that could be waited for.
 */
interface Queue {
  /** Resolves when it has given up by itself, or was stopped. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** Starts taking jobs, and starts again when the queue gives up. The job queue's tables must exist (`migrate`). */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { connection, log } = options
  const taskList = taskListOf(options)
  // Jobs use the server's own pool; this one serves the queue: fetching and results, its LISTEN connection, the sweep.
  const pool = createPool(connection, { log, max: concurrencyOf(options) + 2, queryTimeoutMs })
  const stopping = new AbortController()
  let queue: Queue | undefined
  try {
    queue = await openQueue(options, taskList, pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  const sweep = startDeadWorkerSweep(pool, log)
  const kept = keepOpen(queue)

  async function keepOpen(first: Queue): Promise<void> {
    for (let current: Queue | undefined = first; current; current = await reopen()) {
      queue = current
      await current.ended
      queue = undefined
      // Its jobs are free for others, and for its successor, as soon as its lock is.
      await current.stop()
      if (!stopping.signal.aborted) log.error('the job queue gave up; opening it again')
    }
  }

  /** Undefined when the worker is asked to stop meanwhile. */
  async function reopen(): Promise<Queue | undefined> {
    while (!stopping.signal.aborted) {
      try {
        const opened = await openQueue(options, taskList, pool)
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
    async stop() {
      stopping.abort()
      await sweep.stop()
      await queue?.stop()
      await kept
      await pool.end()
    },
  }
}

async function openQueue(options: WorkerOptions, taskList: TaskList, pool: Pool): Promise<Queue> {
  const { runner, poolId, ended } = await runQueue(options, taskList, pool)
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  // Rejects when it was over already; `ended` says so.
  const stopRunner = async () => {
    if (!isOver) await runner.stop()
  }
  try {
    const lock = await holdWorkerLock(options.connection, poolId, options.log)
    let stopped: Promise<void> | undefined
    const stop = async () => {
      await stopRunner()
      // Released only when no job runs any more: without it, this worker counts as dead.
      await lock.release()
    }
    return {
      ended,
      stop() {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    await stopRunner()
    throw error
  }
}

function concurrencyOf(options: WorkerOptions): number {
  return options.concurrency ?? 10
}

/** Starts graphile-worker; `poolId` is what it writes to `locked_by` of the jobs it takes, `ended` when it stops. */
async function runQueue(
  options: WorkerOptions,
  taskList: TaskList,
  pool: Pool,
): Promise<{ runner: Runner; poolId: string; ended: Promise<void> }> {
  const { log } = options
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
      else if (level === 'warning') log.warn({ from: 'queue' }, message)
      else log.trace({ from: 'queue' }, message)
    }),
    concurrency: concurrencyOf(options),
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: abortAfterMs,
    taskList,
    parsedCronItems: parseCronItems(
      options.jobs.flatMap((job) => (job.cron ? [{ task: job.name, match: job.cron, identifier: job.name }] : [])),
    ),
    // Batched results are written after a graceful stop resolved, and lost: the finished job would run again.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })
  // What it has to say at its end was logged by then.
  runner.promise.catch(() => undefined)
  return { runner, poolId: await created, ended }
}

function taskListOf({ jobs, log, onFinished }: WorkerOptions): TaskList {
  const tasks: TaskList = {}
  for (const job of jobs) {
    if (tasks[job.name]) throw new Error(`Two jobs are named ${job.name}`)
    tasks[job.name] = async (raw, helpers) => {
      const { id, attempts } = helpers.job
      const jobLog = log.child({ job: job.name, jobId: id, attempt: attempts })
      const startedAt = performance.now()
      const finished = (outcome: 'done' | 'failed') =>
        onFinished?.(job.name, outcome, (performance.now() - startedAt) / 1000)
      try {
        // graphile-worker types the signal as optional; 0.18 always gives one.
        const signal = helpers.abortSignal ?? new AbortController().signal
        await job.run(job.payload.parse(raw), { log: jobLog, signal, attempt: attempts })
        finished('done')
      } catch (error) {
        finished('failed')
        jobLog.warn({ err: error }, 'a run of a job failed')
        throw error
      }
    }
  }
  return tasks
}
