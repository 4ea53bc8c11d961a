import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'

interface JobCounts {
  waiting: number
  running: number
  failed: number
  /** Since the one that waits longest was due; 0: none is. */
  oldestDueSeconds: number
}

/** The jobs of the queue by how they stand; failed: given up, until `jobs.sweepFailed` removes them. */
export async function countJobs(pool: Pool): Promise<JobCounts> {
  const { rows } = await pool.query<JobCounts>(
    `select count(*) filter (where locked_by is null and attempts < max_attempts) as waiting,
            count(*) filter (where locked_by is not null) as running,
            count(*) filter (where locked_by is null and attempts >= max_attempts) as failed,
            coalesce(extract(epoch from now() - min(run_at) filter (
              where locked_by is null and attempts < max_attempts and run_at <= now())), 0)::float8 as "oldestDueSeconds"
     from graphile_worker._private_jobs`,
  )
  return rows[0] ?? { waiting: 0, running: 0, failed: 0, oldestDueSeconds: 0 }
}

/** For a query: whether a job under this key waits or runs, or one under `KEY:timer`. */
export function isUnderWay(key: Expression<string>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from graphile_worker.jobs job where attempts < max_attempts and job.key in (${key}, ${key} || ':timer'))`
}
