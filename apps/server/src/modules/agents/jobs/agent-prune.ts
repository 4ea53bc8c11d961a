import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import { deleteWorkerEnrollmentsBefore } from '../enroll/enrollment-store.ts'
import { deletePendingDecommissionsBefore } from '../hosts/host-store.ts'
import { decommissionLifetimeMs } from '../hosts/pending-decommission.ts'
import { deleteMetricsBefore } from '../metrics/metrics-store.ts'
import { deleteTasksEndedBefore } from '../tasks/task-store.ts'

/**
 * The longest range that can be asked for is 7 days (spec §9); one more for ranges that begin in the middle of a
 * point.
 */
const keptMs = 8 * 24 * 3600_000
/** Small statements: no long lock, no burst of dead rows. */
const batch = 10_000
/** Commands that nobody used are of no use long before; kept a little for whoever looks into it. ms */
const spentCommandMs = 3600_000
/** Of use to whoever looks into a failure. ms */
const endedTasksMs = 30 * 24 * 3600_000

/**
 * Removes old measurements, unused commands, ended tasks and decommissions that nobody came back for, every hour. Late
 * or repeated runs change nothing else.
 */
export function agentPrune({ db, clock }: { db: Db; clock: Clock }): Job {
  return defineJob({
    name: 'agent.prune',
    payload: z.unknown(),
    cron: '17 * * * *',
    maxAttempts: 1, // the next run does what this one could not
    async run(_, { log, signal }) {
      const before = new Date(clock.now().getTime() - keptMs)
      let removed = 0
      for (let count = batch; count === batch && !signal.aborted; removed += count) {
        count = await deleteMetricsBefore(db, before, batch)
      }
      await deleteWorkerEnrollmentsBefore(db, new Date(clock.now().getTime() - spentCommandMs))
      await deletePendingDecommissionsBefore(db, new Date(clock.now().getTime() - decommissionLifetimeMs))
      await deleteTasksEndedBefore(db, new Date(clock.now().getTime() - endedTasksMs))
      if (removed > 0) log.info({ removed }, 'removed old measurements')
    },
  })
}
