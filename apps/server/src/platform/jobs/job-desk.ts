/** The operator's view of the queue, and the acts on jobs that were given up. */
import { sql } from 'kysely'
import type { Db, Trx } from '../db/index.ts'

export interface TaskCounts {
  name: string
  waiting: number
  running: number
  failed: number
  /** Since the one that waits longest was due; 0: none is. */
  oldestDueSeconds: number
}

const isGivenUp = sql`job.locked_by is null and job.attempts >= job.max_attempts`
const isWaiting = sql`job.locked_by is null and job.attempts < job.max_attempts and job.run_at <= now()`

/** The jobs of the queue by their names: those that are due, that run, and that were given up. */
export async function countTasks(db: Db): Promise<TaskCounts[]> {
  const { rows } = await sql<TaskCounts>`
    select task.identifier as name, count(*) filter (where ${isWaiting})::int as waiting,
      count(*) filter (where job.locked_by is not null)::int as running,
      count(*) filter (where ${isGivenUp})::int as failed,
      coalesce(extract(epoch from now() - min(job.run_at) filter (where ${isWaiting})), 0)::float8 as "oldestDueSeconds"
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    group by task.identifier`.execute(db)
  return rows
}

export interface FailedJob {
  jobId: string
  name: string
  attempts: number
  /** The error of its last attempt. */
  problem: string | null
  at: Date
}

/** The jobs that were given up, the last first; so many at most. */
export async function listFailedJobs(db: Db, limit = 100): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select job.id::text as "jobId", task.identifier as name, job.attempts::int as attempts,
      job.last_error as problem, job.updated_at as at
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where ${isGivenUp} order by job.updated_at desc, job.id desc limit ${limit}`.execute(db)
  return rows
}

/** Locks a job that was given up; undefined: it runs again, was done or discarded. */
async function lockFailed(trx: Trx, jobId: string): Promise<{ name: string } | undefined> {
  const { rows } = await sql<{ name: string }>`
    select task.identifier as name
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where job.id = ${jobId}::bigint and ${isGivenUp} for update of job`.execute(trx)
  return rows[0]
}

/** Retries a job that was given up, as often as the first time; gives its name, or undefined as above. */
export async function retryJob(trx: Trx, jobId: string): Promise<string | undefined> {
  const job = await lockFailed(trx, jobId)
  if (job)
    await sql`select graphile_worker.reschedule_jobs(
      array[${jobId}::bigint], run_at => now(), attempts => 0)`.execute(trx)
  return job?.name
}

/** Forgets a job that was given up; its name, or undefined as above. */
export async function discardJob(trx: Trx, jobId: string): Promise<string | undefined> {
  const job = await lockFailed(trx, jobId)
  if (job) await sql`delete from graphile_worker._private_jobs where id = ${jobId}::bigint`.execute(trx)
  return job?.name
}
