import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'

/** The jobs of the queue by how they stand; failed: given up, until `jobs.sweepFailed` removes them. */
export async function countJobs(pool: Pool): Promise<{ waiting: number; running: number; failed: number }> {
  const { rows } = await pool.query<{ waiting: number; running: number; failed: number }>(
    `select count(*) filter (where locked_by is null and attempts < max_attempts) as waiting,
            count(*) filter (where locked_by is not null) as running,
            count(*) filter (where locked_by is null and attempts >= max_attempts) as failed
     from graphile_worker._private_jobs`,
  )
  return rows[0] ?? { waiting: 0, running: 0, failed: 0 }
}

/** For a query: whether a job under this key waits or runs, or one under `KEY:timer`. */
export function isUnderWay(key: Expression<string>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from graphile_worker.jobs job where attempts < max_attempts and job.key in (${key}, ${key} || ':timer'))`
}
