import { taskKinds } from '@atoll/contract/agents'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { deleteWorkerEnrollmentsBefore } from '../enroll/enrollment-store.ts'
import { deleteReplacedAgentsBefore, deleteReplacementsBefore } from '../enroll/replacement-store.ts'
import { deletePendingDecommissionsBefore } from '../hosts/host-store.ts'
import { decommissionLifetimeMs } from '../hosts/pending-decommission.ts'
import { deleteTasksEndedBefore } from '../tasks/task-store.ts'

/** Commands that nobody used, and pages of files, are of no use long before; kept a little for investigations. ms */
const spentCommandMs = 3600_000
/** Kept for the investigation of failures. ms */
const endedTasksMs = 30 * 24 * 3600_000
/** How long the agent of a machine that was replaced is told so, ms. */
const replacedMs = 365 * 24 * 3600_000

/**
 * Removes unused commands, ended tasks, and agents that nobody expects back, every hour. Late or repeated runs
 * change nothing else.
 */
export function agentPrune({ db, clock }: { db: Db; clock: Clock }): Job {
  return defineTimedJob({
    name: 'agent.prune',
    lane: 'own',
    waits: 'deadline',
    cron: '17 * * * *',
    async run() {
      const spentBefore = new Date(clock.now().getTime() - spentCommandMs)
      await deleteWorkerEnrollmentsBefore(db, spentBefore)
      await deleteReplacementsBefore(db, spentBefore)
      await deleteReplacedAgentsBefore(db, new Date(clock.now().getTime() - replacedMs))
      await deletePendingDecommissionsBefore(db, new Date(clock.now().getTime() - decommissionLifetimeMs))
      await deleteTasksEndedBefore(db, spentBefore, taskKinds['backup.look'].kind)
      await deleteTasksEndedBefore(db, new Date(clock.now().getTime() - endedTasksMs))
    },
  })
}
