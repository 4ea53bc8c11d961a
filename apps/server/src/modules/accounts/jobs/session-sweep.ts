import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { deleteEmailCodesBefore } from '../email/email-code-store.ts'
import { removeExpiredSessions } from '../session-service.ts'
import { forgettableBefore } from '../sign-in-service.ts'
import { deleteCodesBefore } from '../stores/sign-in-code-store.ts'

/** How long a sent email code is remembered, to count it, ms. */
const emailCodeKeptMs = 2 * 60 * 60_000

/** Removes expired sessions and spent codes, every ten minutes. Late or repeated runs change nothing else. */
export function sessionSweep(deps: { db: Db; clock: Clock }): Job {
  return defineTimedJob({
    name: 'session.sweep',
    lane: 'own',
    waits: 'deadline',
    cron: '*/10 * * * *',
    async run({ log }) {
      const sessions = await removeExpiredSessions(deps)
      const codes = await deleteCodesBefore(deps.db, forgettableBefore(deps.clock.now()))
      const emailCodes = await deleteEmailCodesBefore(deps.db, new Date(deps.clock.now().getTime() - emailCodeKeptMs))
      if (sessions + codes + emailCodes > 0) log.info({ sessions, codes, emailCodes }, 'removed what had expired')
    },
  })
}
