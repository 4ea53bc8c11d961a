import type { JobHelpers, Task, TaskList } from 'graphile-worker'
import { findHold } from '../careful/index.ts'
import type { Db } from '../db/index.ts'
import type { Log } from '../log.ts'
import type { Job } from './define.ts'
import { accountFlag, type LaneRuns, runInTime } from './lane-run.ts'

/** From a run that had to wait to the next time it is asked, ms. */
const heldMs = 15_000

interface TaskOptions {
  /** The queue's own connections. */
  db: Db
  log: Log
  onFinished?: (job: string, outcome: 'done' | 'failed', seconds: number) => void
  beforeRun?: () => Promise<void>
  /** Of a lane that waits for strangers. */
  limits?: { deadlineMs: number; runs: LaneRuns }
}

/** The jobs of one lane, as graphile-worker runs them. */
export function taskListOf(jobs: readonly Job[], options: TaskOptions): TaskList {
  return Object.fromEntries(jobs.map((job) => [job.name, taskOf(job, options)]))
}

function taskOf(job: Job, { db, log, onFinished, beforeRun, limits }: TaskOptions): Task {
  return async (raw, helpers) => {
    const { id, attempts, run_at } = helpers.job
    await beforeRun?.()
    if (await findHold(db, job)) return await putOff(job, raw, helpers, new Date(Date.now() + heldMs))
    const jobLog = log.child({ job: job.name, jobId: id, attempt: attempts })
    const startedAt = performance.now()
    const finished = (outcome: 'done' | 'failed') =>
      onFinished?.(job.name, outcome, (performance.now() - startedAt) / 1000)
    let account: string | null | undefined
    try {
      const payload = job.payload.parse(raw)
      account = limits && (await job.accountOf?.(payload))
      if (limits && account && !limits.runs.enter(account)) {
        const full = account
        account = null
        // From now on its flag keeps it from being taken before there is room, in its place in the line.
        return await putOff(job, raw, helpers, run_at, accountFlag(full))
      }
      const run = (signal: AbortSignal) => job.run(payload, { log: jobLog, signal, attempt: attempts })
      // graphile-worker types the signal as optional; 0.18 always gives one.
      const signal = helpers.abortSignal ?? new AbortController().signal
      const onLate = (error?: unknown) => jobLog.warn({ err: error }, 'a run ended after its place was given away')
      await (limits ? runInTime(run, signal, { deadlineMs: limits.deadlineMs, onLate }) : run(signal))
      finished('done')
    } catch (error) {
      finished('failed')
      jobLog.warn({ err: error }, 'a run of a job failed')
      throw error
    } finally {
      if (limits && account) limits.runs.leave(account)
    }
  }
}

/**
 * Has a run that has to wait taken again at `runAt`; of one that the clock started and that is held, the clock starts
 * the next. It is no failure: the job keeps all of its attempts.
 */
async function putOff(
  job: Job,
  raw: unknown,
  { job: { key, max_attempts, flags }, addJob }: JobHelpers,
  runAt: Date,
  flag?: string,
): Promise<void> {
  if (flag === undefined && typeof raw === 'object' && raw !== null && '_cron' in raw) return
  await addJob(job.name, raw, {
    runAt,
    maxAttempts: max_attempts,
    flags: flag === undefined ? Object.keys(flags ?? {}) : [flag],
    // One that was asked for meanwhile is due as it is.
    ...(key !== null && { jobKey: key, jobKeyMode: 'preserve_run_at' as const }),
  })
}
