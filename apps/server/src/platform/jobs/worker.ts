import { EventEmitter } from 'node:events'
import { Logger, parseCronItems, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import { createPool, type DatabaseConnection } from '../db/index.ts'
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
  /** Told when the worker can no longer work (it keeps trying by itself while PostgreSQL is away). */
  onFatal?: (error: unknown) => void
}

export interface RunningWorker {
  /** False once it has stopped, by itself or asked. */
  running(): boolean
  /** Takes no more jobs, waits for those running (their signal is aborted after 5 s) and for their results to be written. */
  stop(): Promise<void>
}

/** How long a running job is left in peace at shutdown before its signal is aborted, ms. */
const abortAfterMs = 5000

/** Starts taking jobs. The job queue's tables must exist (`migrate`). */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { connection, log } = options
  const taskList = taskListOf(options)
  // Jobs use the server's own pool; this one serves the queue: fetching and results, its LISTEN connection, the sweep.
  const pool = createPool(connection, { log, max: concurrencyOf(options) + 2 })
  const stops: (() => Promise<void>)[] = [() => pool.end()]
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step()
  }
  try {
    const { runner, poolId } = await runQueue(options, taskList, pool)
    stops.push(() => runner.stop())
    const lock = await holdWorkerLock(connection, poolId, log)
    // Released only when no job runs any more: without it, this worker counts as dead.
    stops.splice(1, 0, lock.release)
    const sweep = startDeadWorkerSweep(pool, log)
    stops.push(sweep.stop)
    let running = true
    runner.promise.then(
      () => {
        running = false
      },
      (error: unknown) => {
        running = false
        options.onFatal?.(error)
      },
    )
    return { running: () => running, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function concurrencyOf(options: WorkerOptions): number {
  return options.concurrency ?? 10
}

/** Starts graphile-worker; `poolId` is what it writes to `locked_by` of the jobs it takes. */
async function runQueue(
  options: WorkerOptions,
  taskList: TaskList,
  pool: Pool,
): Promise<{ runner: Runner; poolId: string }> {
  const { log } = options
  const events: WorkerEvents = new EventEmitter()
  const created = new Promise<string>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(workerPool.id))
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
  return { runner, poolId: await created }
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
