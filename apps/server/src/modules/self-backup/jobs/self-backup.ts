import { z } from 'zod'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import { type TakeDeps, takeSelfBackup } from '../take.ts'

export const selfBackupName = 'self.backup'

/** Backs the deployment up at the times of `schedule` (cron, UTC); one that fails is tried again a few times. */
export function selfBackupJob(deps: TakeDeps, schedule: string): Job {
  return defineJob({
    name: selfBackupName,
    lane: 'own',
    waits: 'never',
    payload: z.unknown(),
    cron: schedule,
    maxAttempts: 4,
    async run(_, { log, signal }) {
      const { snapshotId, hasKey, leftovers } = await takeSelfBackup(deps, signal)
      for (const line of leftovers) log.warn({}, line)
      if (hasKey) log.info({ snapshotId }, 'this deployment was backed up')
      else log.warn({ snapshotId }, 'this deployment was backed up without its key, which a setting gives: keep a copy')
    },
  })
}
