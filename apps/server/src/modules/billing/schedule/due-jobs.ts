import { z } from 'zod'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { defineJob, defineTimedJob, enqueueJob, enqueueJobs, type Job } from '../../../platform/jobs/index.ts'
import { type DueDeps, type DueRunners, runNextDue } from './due-runner.ts'
import { listDueAccounts } from './due-store.ts'

const accountJob = 'billing.account'

const keyOf = (userid: string) => `${accountJob}:${userid}`

/** Has an account seen to once `db` commits. */
export async function enqueueAccount(db: Db | Trx, userid: string): Promise<void> {
  await enqueueJob(db, accountJob, { userid }, { key: keyOf(userid) })
}

/** Has each account seen to of which something is due, every minute. */
export function billingDue({ db, clock }: DueDeps): Job {
  return defineTimedJob({
    name: 'billing.due',
    lane: 'own',
    waits: 'deadline',
    source: 'gateway',
    dueAt: 'each',
    cron: '* * * * *',
    async run() {
      const due = await listDueAccounts(db, clock.now())
      await enqueueJobs(
        db,
        accountJob,
        due.map((userid) => ({ payload: { userid }, key: keyOf(userid) })),
      )
    },
  })
}

/** Does all that is due of an account, one item after the other. */
export function billingAccount(deps: DueDeps, runners: DueRunners): Job {
  return defineJob({
    name: accountJob,
    lane: 'own',
    waits: 'deadline',
    source: 'gateway',
    dueAt: 'each',
    payload: z.object({ userid: z.string() }),
    async run({ userid }, { log, signal }) {
      while (!signal.aborted && (await runNextDue(deps, runners, { userid, waits: 'deadline', log })));
    },
  })
}
