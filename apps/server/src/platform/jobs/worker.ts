import { EventEmitter } from 'node:events'
import { Logger, parseCronItems, run, type TaskList, type WorkerEvents } from 'graphile-worker'
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
  const concurrency = options.concurrency ?? 10
  // Jobs use the server's own pool; this one serves the queue: fetching and results, its LISTEN connection, the sweep.
  const pool = createPool(connection, { log, max: concurrency + 2 })
  const events: WorkerEvents = new EventEmitter()
  const poolId = new Promise<string>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(workerPool.id))
  })
  events.on('job:failed', ({ job, error }) => {
    log.error(
      { err: error, job: job.task_identifier, jobId: job.id, attempts: job.attempts },
      'a job failed for the last time',
    )
  })

  const runner = await run({
    pgPool: pool,
    events,
    logger: new Logger(() => (level, message) => {
      if (level === 'error') log.error({ from: 'queue' }, message)
      else if (level === 'warning') log.warn({ from: 'queue' }, message)
      else log.trace({ from: 'queue' }, message)
    }),
    concurrency,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: abortAfterMs,
    taskList: taskListOf(options),
    parsedCronItems: parseCronItems(
      options.jobs.flatMap((job) => (job.cron ? [{ task: job.name, match: job.cron, identifier: job.name }] : [])),
    ),
    // Batched results are written after a graceful stop resolved, and lost: the finished job would run again.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })
  const lock = await holdWorkerLock(connection, await poolId, log)
  const sweep = startDeadWorkerSweep(pool, log)
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

  return {
    running: () => running,
    async stop() {
      await sweep.stop()
      await runner.stop()
      await lock.release()
      await pool.end()
    },
  }
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
