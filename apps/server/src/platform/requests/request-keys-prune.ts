import type { Clock } from '../clock.ts'
import type { Db } from '../db/index.ts'
import { defineTimedJob, type Job } from '../jobs/index.ts'
import { deleteRequestKeysBefore, requestKeyLifetimeMs } from './request-keys.ts'

/** Removes request keys whose time is over, every hour. Late or repeated runs change nothing else. */
export function requestKeysPrune({ db, clock }: { db: Db; clock: Clock }): Job {
  return defineTimedJob({
    name: 'requests.prune',
    lane: 'own',
    waits: 'deadline',
    cron: '23 * * * *',
    run: () => deleteRequestKeysBefore(db, new Date(clock.now().getTime() - requestKeyLifetimeMs)),
  })
}
