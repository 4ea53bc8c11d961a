import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { deleteMailsBefore } from '../mail-store.ts'

/** How long it stays known that a mail was sent, and how it fared, ms. */
const keptMs = 30 * 24 * 60 * 60_000

/** Forgets mails that ended long ago, once an hour. Late or repeated runs change nothing else. */
export function mailSweep({ db, clock }: { db: Db; clock: Clock }): Job {
  return defineTimedJob({
    name: 'mail.sweep',
    lane: 'own',
    waits: 'deadline',
    cron: '17 * * * *',
    async run({ log }) {
      const removed = await deleteMailsBefore(db, new Date(clock.now().getTime() - keptMs))
      if (removed > 0) log.info({ removed }, 'forgot mails that ended long ago')
    },
  })
}
