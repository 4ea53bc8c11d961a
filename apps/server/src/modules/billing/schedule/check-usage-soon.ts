import type { Db, Trx } from '../../../platform/db/index.ts'
import { enqueueJob } from '../../../platform/jobs/index.ts'

/** The job that checks an account's usage (usage/notices/warning-mails.ts). */
export const usageCheckJob = 'billing.warnAccount'
export const usageCheckKey = (userid: string) => `${usageCheckJob}:${userid}`

/** Has an account's usage checked once `db` commits: whether it is limited, or what pays for it, changed. */
export async function checkUsageSoon(db: Db | Trx, userid: string): Promise<void> {
  await enqueueJob(db, usageCheckJob, { userid }, { key: usageCheckKey(userid) })
}
