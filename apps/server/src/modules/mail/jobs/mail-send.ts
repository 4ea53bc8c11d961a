import { z } from 'zod'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import { type MailServiceDeps, mailSendJob, sendMail } from '../mail-service.ts'
import { findMail } from '../mail-store.ts'

/** One attempt at one mail. It asks for its own next attempt; what is retried here is a database that was away. */
export function mailSend(deps: MailServiceDeps): Job {
  return defineJob({
    name: mailSendJob,
    lane: 'mails',
    accountOf: async ({ mailId }) => (await findMail(deps.db, mailId))?.userid,
    waits: 'never',
    payload: z.object({ mailId: z.string() }),
    run: ({ mailId }, { log }) => sendMail(deps, mailId, log),
  })
}
