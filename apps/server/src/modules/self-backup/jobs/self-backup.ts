import { z } from 'zod'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import { type TakeDeps, takeSelfBackup } from '../take.ts'

/** Backs the deployment up at the times of `schedule` (cron, UTC); one that fails is tried again a few times. */
export function selfBackupJob(deps: TakeDeps, schedule: string): Job {
  return defineJob({
    name: 'self.backup',
    payload: z.unknown(),
    cron: schedule,
    maxAttempts: 4,
    async run(_, { log, signal }) {
      const { snapshotId } = await takeSelfBackup(deps, signal)
      log.info({ snapshotId }, 'this deployment was backed up')
    },
  })
}
