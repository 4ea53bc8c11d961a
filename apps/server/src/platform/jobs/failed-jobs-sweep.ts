import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db/index.ts'
import { defineJob, type Job } from './define.ts'

/**
 * Removes jobs that were given up a day ago, every hour: what they were to do was done by a later one, or is reported
 * where it is missed. `atoll_jobs{state="failed"}` counts those of the last day, so that an alarm ends. Safe to repeat.
 */
export function failedJobsSweep({ db }: { db: Db }): Job {
  return defineJob({
    name: 'jobs.sweepFailed',
    payload: z.unknown(),
    cron: '17 * * * *',
    maxAttempts: 1, // the next run does what this one could not
    async run() {
      await sql`delete from graphile_worker._private_jobs
        where locked_by is null and attempts >= max_attempts and updated_at < now() - interval '1 day'`.execute(db)
    },
  })
}
