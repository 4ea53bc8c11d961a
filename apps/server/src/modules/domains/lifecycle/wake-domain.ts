import type { Trx } from '../../../platform/db/index.ts'
import { enqueueReconcile } from '../../../platform/reconcile/index.ts'

/** Looks at a domain and moves it on (job.ts). */
export const reconcileJob = 'domain.reconcile'

/** Enqueues a reconcile of the domain now. */
export async function wakeDomain(trx: Trx, number: number): Promise<void> {
  await enqueueReconcile(trx, reconcileJob, String(number))
}
