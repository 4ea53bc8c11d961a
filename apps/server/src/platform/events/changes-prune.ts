import type { Clock } from '../clock.ts'
import type { Db } from '../db/index.ts'
import { defineTimedJob, type Job } from '../jobs/index.ts'
import { deleteOldChanges } from './change-store.ts'
import { deleteLapsed } from './fleeting.ts'

/** Removes changes that nobody will be sent any more, every minute. Late or repeated runs change nothing else. */
export function changesPrune({ db, clock }: { db: Db; clock: Clock }): Job {
  return defineTimedJob({
    name: 'changes.prune',
    lane: 'own',
    waits: 'deadline',
    cron: '* * * * *',
    async run() {
      await deleteOldChanges(db, clock.now())
      await deleteLapsed(db, clock.now())
    },
  })
}
