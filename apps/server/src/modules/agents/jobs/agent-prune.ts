import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { deleteWorkerEnrollmentsBefore } from '../enroll/enrollment-store.ts'
import { deletePendingDecommissionsBefore } from '../hosts/host-store.ts'
import { decommissionLifetimeMs } from '../hosts/pending-decommission.ts'
import { deleteTasksEndedBefore } from '../tasks/task-store.ts'

/** Commands that nobody used are of no use long before; kept a little for investigations. ms */
const spentCommandMs = 3600_000
/** Of use to whoever investigates a failure. ms */
const endedTasksMs = 30 * 24 * 3600_000

/**
 * Removes unused commands, ended tasks and decommissions that nobody came back for, every hour. Late or repeated runs
 * change nothing else.
 */
export function agentPrune({ db, clock }: { db: Db; clock: Clock }): Job {
  return defineTimedJob({
    name: 'agent.prune',
    cron: '17 * * * *',
    async run() {
      await deleteWorkerEnrollmentsBefore(db, new Date(clock.now().getTime() - spentCommandMs))
      await deletePendingDecommissionsBefore(db, new Date(clock.now().getTime() - decommissionLifetimeMs))
      await deleteTasksEndedBefore(db, new Date(clock.now().getTime() - endedTasksMs))
    },
  })
}
