import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

/** The process that runs the job under this key or its timer at this moment, and when it is due next. */
export async function findJob(
  db: Db,
  key: string,
): Promise<{ holder: { process: string; since: Date } | null; dueAt: Date | null }> {
  const { rows } = await sql<{ locked_by: string | null; locked_at: Date | null; run_at: Date }>`
    select locked_by, locked_at, run_at from graphile_worker.jobs
    where key in (${key}, ${`${key}:timer`}) and attempts < max_attempts order by run_at`.execute(db)
  const [held] = rows.flatMap(({ locked_by, locked_at }) =>
    locked_by !== null && locked_at !== null ? [{ process: locked_by, since: locked_at }] : [],
  )
  return { holder: held ?? null, dueAt: rows.find((row) => row.locked_by === null)?.run_at ?? null }
}
