import { sql } from 'kysely'
import { z } from 'zod'
import type { Act, Asked, Waits } from '../careful/index.ts'
import type { Db, Trx } from '../db/index.ts'
import type { Log } from '../log.ts'
import type { JobLane, Lane } from './lanes.ts'

export interface JobContext {
  /** Carries the job's name, id and attempt. */
  log: Log
  /** Aborted when the worker shuts down and has waited long enough, and at the deadline of the job's lane. */
  signal: AbortSignal
  /** 1 on the first run. */
  attempt: number
}

/** When a job waits, asked at each run in every process (platform/careful). There is no default: each job says it. */
export interface JobWaits {
  /** One that waits runs later; where only the clock starts it, at its next time. */
  waits: Waits
  /** For one that waits: what outside has to say first, after each start, that it knows no more than the database. */
  source?: Asked
  /** Of one that waits with deadlines and asks about each thing itself (`fellDueInStop`), after a stop: `each`. */
  dueAt?: Extract<Act['dueAt'], 'each'>
}

/** A kind of background work. It may run again after a crash, so `run` must be safe to repeat. */
export interface Job<Payload extends z.ZodType = z.ZodType> extends JobWaits {
  lane: Lane
  /** Undefined in lane `own`. */
  accountOf: Extract<JobLane<z.output<Payload>>, { accountOf: unknown }>['accountOf'] | undefined
  /** `noun.verb`, such as `cluster.reconcile`. */
  name: string
  payload: Payload
  /** Runs before it is given up; retries wait e^attempt seconds. Default 25. */
  maxAttempts: number
  /** When set, also runs at these minutes (cron syntax, UTC) with an empty payload, once for all workers together. */
  cron: string | undefined
  run(payload: z.output<Payload>, context: JobContext): Promise<void>
}

/**
 * Declares a job. Workers are given the declared jobs; a caller that enqueues needs only the name or the job itself.
 */
export function defineJob<Payload extends z.ZodType>(
  job: JobWaits &
    JobLane<z.output<Payload>> & {
      name: string
      payload: Payload
      maxAttempts?: number
      cron?: string
      run(payload: z.output<Payload>, context: JobContext): Promise<void>
    },
): Job<Payload> {
  // The payment that it asks a gateway about may be newer than this database.
  if (job.lane === 'gateway' && job.waits !== 'never' && job.source !== 'gateway')
    throw new Error(`${job.name} asks the gateway and does not wait for it: source`)
  return { maxAttempts: 25, cron: undefined, accountOf: undefined, ...job }
}

/**
 * Declares a job that only the clock starts, for no account. It is tried once: the next run does what this one could
 * not.
 */
export function defineTimedJob(
  job: JobWaits & { lane: Lane; name: string; cron: string; run(context: JobContext): Promise<void> },
): Job {
  return { ...job, payload: z.unknown(), maxAttempts: 1, accountOf: undefined, run: (_, context) => job.run(context) }
}

export interface EnqueueOptions {
  /**
   * At most one job waits under a key: enqueuing again changes the waiting one. A running one is left alone and a new
   * one waits.
   */
  key?: string
  /** How the waiting job is changed: `replace` payload and time (default), `preserve_run_at` payload only. */
  keyMode?: 'replace' | 'preserve_run_at'
  /** Not before this moment; default now. */
  runAt?: Date
  maxAttempts?: number
}

/**
 * Enqueues in the caller's transaction: the job exists exactly when the transaction commits, and workers are notified
 * at that moment.
 */
export async function enqueueJob(
  db: Db | Trx,
  name: string,
  payload: unknown,
  options: EnqueueOptions = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(
    identifier => ${name}::text,
    payload => ${JSON.stringify(payload)}::json,
    run_at => ${options.runAt ?? null}::timestamptz,
    max_attempts => ${options.maxAttempts ?? null}::int,
    job_key => ${options.key ?? null}::text,
    job_key_mode => ${options.keyMode ?? 'replace'}::text)`.execute(db)
}

/**
 * Enqueues many runs of one job in one statement, each as `enqueueJob` does; the keys are distinct. A job that waits
 * under one of them is replaced.
 */
export async function enqueueJobs(
  db: Db | Trx,
  name: string,
  jobs: readonly { payload: unknown; key: string }[],
): Promise<void> {
  if (jobs.length === 0) return
  const payloads = jobs.map(({ payload }) => JSON.stringify(payload))
  const keys = jobs.map(({ key }) => key)
  await sql`select count(*) from graphile_worker.add_jobs(array(
    select row(${name}::text, payload::json, null, null, null, key, null, null)::graphile_worker.job_spec
    from unnest(${payloads}::text[], ${keys}::text[]) as asked (payload, key)))`.execute(db)
}
