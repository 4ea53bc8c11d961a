import { jobDiscard, jobRetry, mailResend, mailTest, ownBackupRun, systemShow } from '@atoll/contract/staff'
import { implement, type Route } from '../../../http/route.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { discardJob, enqueueJob, retryJob } from '../../../platform/jobs/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { resendMail } from '../../mail/index.ts'
import { selfBackupName } from '../../self-backup/index.ts'
import { type LookDeps, neededConsent } from '../customers/customer-look.ts'
import { recordSystem } from '../system/record-system.ts'
import { describeSystem, hideRecipients, type SystemDeps } from '../system/system-view.ts'

/** Calls about the deployment itself: how it fares, and what may be done about that without an approval. */
export function systemRoutes(deps: SystemDeps & Pick<LookDeps, 'config'>): Route[] {
  const { db, clock, config, mail } = deps
  const within = async (work: (trx: Trx) => Promise<void>) => {
    await db.transaction().execute(work)
    return {}
  }
  const recorded = (work: (trx: Trx) => Promise<string | undefined>, caller: Caller, reason?: string) =>
    within(async (trx) => {
      const job = (await work(trx)) ?? refuse('jobGone')
      const action = reason === undefined ? 'system.retryJob' : 'system.discardJob'
      await recordSystem(trx, { caller, action, id: job, after: { job, ...(reason !== undefined && { reason }) } })
    })
  return [
    implement(systemShow, async (_, { account: caller }) => {
      const view = await describeSystem(deps)
      return neededConsent(deps, caller) ? hideRecipients(view) : view
    }),
    implement(jobRetry, ({ jobId }, { account }) => recorded((trx) => retryJob(trx, jobId), account)),
    implement(jobDiscard, ({ jobId, reason }, { account }) =>
      recorded((trx) => discardJob(trx, jobId), account, reason),
    ),
    implement(mailResend, ({ mailId }, { account: caller }) =>
      within(async (trx) => {
        if (!(await resendMail(trx, mailId, clock.now()))) refuse('mailGone')
        await recordSystem(trx, { caller, action: 'system.resendMail', id: mailId, after: { mail: mailId } })
      }),
    ),
    implement(mailTest, async () => {
      const to = config.operatorEmail ?? refuse('noOperatorEmail')
      try {
        await mail.sendToOperator({ to, subject: 'A test', text: 'Asked for on the page System: mail arrives.' })
      } catch (error) {
        refuse('mailServerRefused', { answer: error instanceof Error ? error.message : String(error) })
      }
      return { to }
    }),
    implement(ownBackupRun, (_, { account: caller }) =>
      within(async (trx) => {
        if (config.selfBackup?.schedule === undefined) refuse('ownBackupByTimer')
        await enqueueJob(trx, selfBackupName, {}, { key: selfBackupName })
        await recordSystem(trx, { caller, action: 'system.backUp', id: selfBackupName })
      }),
    ),
  ]
}
