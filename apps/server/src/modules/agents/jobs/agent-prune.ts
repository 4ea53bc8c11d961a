import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import { farewellLifetimeMs } from '../channel/pending-decommission.ts'
import { deleteWorkerEnrollmentsBefore } from '../enroll/enrollment-store.ts'
import { deleteFarewellsBefore } from '../machine-store.ts'
import { deleteMetricsBefore } from '../metrics/metrics-store.ts'

/**
 * The longest range that can be asked for is 7 days (spec §9); one more for ranges that begin in the middle of a
 * point.
 */
const keptMs = 8 * 24 * 3600_000
/** Small statements: no long lock, no burst of dead rows. */
const batch = 10_000
/** Commands that nobody used are of no use long before; kept a little for whoever looks into it. ms */
const spentCommandMs = 3600_000

/**
 * Removes old measurements, unused commands and old farewells, every hour. Late or repeated runs change nothing else.
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
      await deleteFarewellsBefore(db, new Date(clock.now().getTime() - farewellLifetimeMs))
      if (removed > 0) log.info({ removed }, 'removed old measurements')
    },
  })
}
