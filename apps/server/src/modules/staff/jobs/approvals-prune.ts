import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { deleteApprovalsBefore } from '../stores/approval-store.ts'

/** How long what a wallet was asked is kept, with the customer's name, ms. */
const keptMs = 2 * 24 * 60 * 60_000

/** Removes what wallets were asked two days ago. Late or repeated runs change nothing else. */
export function approvalsPrune({ db, clock }: { db: Db; clock: Clock }): Job {
  return defineTimedJob({
    name: 'staff.approvalsPrune',
    lane: 'own',
    waits: 'deadline',
    cron: '17 * * * *',
    async run({ log }) {
      const approvals = await deleteApprovalsBefore(db, new Date(clock.now().getTime() - keptMs))
      if (approvals > 0) log.info({ approvals }, 'removed what wallets were asked')
    },
  })
}
