import type { Db, Trx } from '../../../platform/db/index.ts'
import { enqueueReconcile } from '../../../platform/reconcile/index.ts'

export const paymentReconcileJob = 'payment.reconcile'

/** Has the gateway charge a payment, or asked what became of it, once `trx` commits. */
export async function enqueueAttempt(db: Db | Trx, paymentId: string): Promise<void> {
  await enqueueReconcile(db, paymentReconcileJob, paymentId)
}
