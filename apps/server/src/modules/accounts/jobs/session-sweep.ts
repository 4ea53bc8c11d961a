import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import { removeExpiredSessions } from '../session-service.ts'
import { deleteCodesBefore } from '../sign-in-code-store.ts'
import { forgettableBefore } from '../sign-in-service.ts'

/** Removes expired sessions and spent sign-in codes, every ten minutes. Late or repeated runs change nothing else. */
export function sessionSweep(deps: { db: Db; clock: Clock }): Job {
  return defineJob({
    name: 'session.sweep',
    payload: z.unknown(),
    cron: '*/10 * * * *',
    maxAttempts: 1, // the next run does what this one could not
    async run(_, { log }) {
      const sessions = await removeExpiredSessions(deps)
      const codes = await deleteCodesBefore(deps.db, forgettableBefore(deps.clock.now()))
      if (sessions + codes > 0) log.info({ sessions, codes }, 'removed what had expired')
    },
  })
}
