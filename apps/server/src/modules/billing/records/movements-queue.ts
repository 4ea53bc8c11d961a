import type { Db, Trx } from '../../../platform/db/index.ts'
import { enqueueJob } from '../../../platform/jobs/index.ts'

export const movementsJob = 'billing.movements'

/** Has the gateway asked what it moved of a payment, by its ref of that, once `trx` commits. */
export async function enqueueMovements(db: Db | Trx, paymentRef: string, runAt?: Date): Promise<void> {
  await enqueueJob(db, movementsJob, { paymentRef }, { key: `${movementsJob}:${paymentRef}`, ...(runAt && { runAt }) })
}
