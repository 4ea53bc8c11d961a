import { sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { defineTimedJob, type Job } from './define.ts'

/**
 * Removes jobs that were given up a day ago, every hour: what they were to do was done by a later one, or is reported
 * where it is missed. `atoll_jobs{state="failed"}` counts those of the last day, so that an alarm ends. Safe to repeat.
 */
export function failedJobsSweep({ db }: { db: Db }): Job {
  return defineTimedJob({
    name: 'jobs.sweepFailed',
    lane: 'own',
    waits: 'deadline',
    cron: '17 * * * *',
    async run() {
      await sql`delete from graphile_worker._private_jobs
        where locked_by is null and attempts >= max_attempts and updated_at < now() - interval '1 day'`.execute(db)
    },
  })
}
