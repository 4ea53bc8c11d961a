import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/index.ts'
import { defineTimedJob, enqueueJob, isUnderWay, type Job } from '../../../../platform/jobs/index.ts'
import { enqueueAttempt, paymentReconcileJob } from '../../schedule/attempt-queue.ts'
import { cardRefundJob } from '../order-card-refund.ts'

/**
 * Has what is under way with a card carried on where no job waits to do it: one was lost, or given up after many
 * failures. Each minute; it only wakes, so repeated runs change nothing.
 */
export function paymentsWake({ db }: { db: Db }): Job {
  return defineTimedJob({
    name: 'payments.wake',
    lane: 'own',
    waits: 'careful',
    cron: '* * * * *',
    async run({ log }) {
      const payments = await listLeft(
        db,
        paymentReconcileJob,
        sql`select id from payments
          where method_id is not null and state in ('created', 'sending', 'needs_action', 'unknown')`,
      )
      for (const id of payments) await enqueueAttempt(db, id)
      const refunds = await listLeft(db, cardRefundJob, sql`select id from card_refunds where state = 'pending'`)
      for (const refundId of refunds) {
        await enqueueJob(db, cardRefundJob, { refundId }, { key: `${cardRefundJob}:${refundId}` })
      }
      if (payments.length + refunds.length > 0) log.warn({ payments, refunds }, 'nobody carried these on; they are now')
    },
  })
}

/** Those of `subjects` for which no job of that name waits or runs, be it a timer. */
async function listLeft(db: Db, job: string, subjects: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (${subjects}) subject where not ${isUnderWay(sql`${job}::text || ':' || subject.id`)}
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}
