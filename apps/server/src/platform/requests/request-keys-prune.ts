import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/index.ts'
import { defineJob, type Job } from '../jobs/index.ts'
import { deleteRequestKeysBefore, requestKeyLifetimeMs } from './request-keys.ts'

/** Removes request keys whose time is over, every hour. Late or repeated runs change nothing else. */
export function requestKeysPrune({ db, clock }: { db: Db; clock: Clock }): Job {
  return defineJob({
    name: 'requests.prune',
    payload: z.unknown(),
    cron: '23 * * * *',
    maxAttempts: 1, // the next run does what this one could not
    run: () => deleteRequestKeysBefore(db, new Date(clock.now().getTime() - requestKeyLifetimeMs)),
  })
}
