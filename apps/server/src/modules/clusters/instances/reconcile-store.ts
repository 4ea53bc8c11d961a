/**
 * The reconciler's reads, the facts that it records about the whole cluster, and the calls that enqueue a reconcile.
 */
import type { Db, Trx } from '../../../platform/db/index.ts'
import { listRunningOperations, type OperationRow } from '../../../platform/operations/index.ts'
import * as reconciler from '../../../platform/reconcile/index.ts'
import { isTransitioning } from '../lifecycle/cluster-state.ts'
import type { ClusterRow, InstanceRow } from '../tables.ts'
import { openTo, type Viewer } from '../visibility.ts'
import { listInstances } from './instance-store.ts'

/** A cluster with its instances that are not gone, master first, and the operations under way. */
export interface Snapshot {
  cluster: ClusterRow
  instances: InstanceRow[]
  operations: OperationRow[]
}

/**
 * The current rows. They are not read at one moment, so the order matters: a concurrent write changes the revision of
 * an instance that was read before it, or the generation, so a decision based on the mixture is never written.
 */
export async function findSnapshot(db: Db, clusterId: string): Promise<Snapshot | undefined> {
  const cluster = await db.selectFrom('clusters').selectAll().where('id', '=', clusterId).executeTakeFirst()
  if (!cluster) return undefined
  const instances = await listInstances(db, clusterId)
  return { cluster, instances, operations: await listRunningOperations(db, clusterId) }
}

/**
 * Differs when something was written that a reconciler may have to act on: a desired state, a status, an agent's
 * report.
 */
export function versionOf({ cluster, instances }: Snapshot): string {
  const parts = instances.map(({ id, revision, agent_facts }) => `${id} ${revision} ${agent_facts ?? ''}`)
  return [cluster.generation, ...parts].join('\n')
}

/** A cluster that `viewer` may act on, locked until the transaction ends. */
export async function lockVisibleCluster(trx: Trx, viewer: Viewer, clusterId: string): Promise<ClusterRow | undefined> {
  return await trx
    .selectFrom('clusters')
    .selectAll()
    .where('id', '=', clusterId)
    .where((from) => openTo(viewer, from.ref('clusters.owner')))
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Notes that the reconciler observed. Where all instances are at rest, what was desired has been reached. */
export async function saveChecked(db: Db, { cluster, instances }: Snapshot, at: Date): Promise<void> {
  const atRest = !instances.some(({ status }) => isTransitioning(status))
  await db
    .updateTable('clusters')
    .set({ checked_at: at, ...(atRest && { observed_generation: cluster.generation }) })
    .where('id', '=', cluster.id)
    .where('generation', '=', cluster.generation)
    .execute()
}

/** Records a desired state and increments the generation, so that a decision based on an older one is made again. */
export async function countGeneration(trx: Trx, cluster: ClusterRow, desired = cluster.desired): Promise<void> {
  await trx
    .updateTable('clusters')
    .set({ generation: cluster.generation + 1, desired })
    .where('id', '=', cluster.id)
    .execute()
}

export const reconcileJob = 'cluster.reconcile'

/** Has the cluster reconciled now. */
export async function enqueueReconcile(db: Db | Trx, clusterId: string): Promise<void> {
  await reconciler.enqueueReconcile(db, reconcileJob, clusterId)
}
