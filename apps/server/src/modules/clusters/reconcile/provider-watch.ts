import type { InstanceChange, ProviderWatch } from '../../compute/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { enqueueReconcile } from '../instances/reconcile-store.ts'
import { enqueueFullSweep } from '../sweep/sweep.ts'

/**
 * Enqueues a reconcile of a cluster when its provider reports a change of one of its instances that was not requested
 * here, and of all clusters when events may have been missed. Every worker process observes and enqueues the same; the
 * job's key makes it one run.
 */
export function watchProviders({ db, compute, log }: Pick<ClusterDeps, 'db' | 'compute' | 'log'>): ProviderWatch {
  return compute.watch((change) => {
    observe(change).catch((error: unknown) => {
      // The sweep finds it, later.
      log.error({ err: error, instanceId: change }, 'a change at a provider could not be passed on')
    })
  })

  async function observe(change: InstanceChange): Promise<void> {
    if (change === null) return await enqueueFullSweep(db)
    const row = await db.selectFrom('instances').select('cluster_id').where('id', '=', change).executeTakeFirst()
    if (row) await enqueueReconcile(db, row.cluster_id)
  }
}
