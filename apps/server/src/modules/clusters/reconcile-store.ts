/**
 * What the reconciler and the actions read and write. Every write of a cluster row is fenced by its revision, so of two
 * who read the same row only one writes; operations and instances change in the same transaction as their cluster.
 * Rows are locked in this order everywhere: clusters, agents, instances, the rest. (An agent's report locks the agent,
 * then its instance.)
 */
import type { Operation } from '@atoll/contract'
import { newId } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { enqueueJob } from '../../platform/jobs/index.ts'
import { isTransitioning, type Position } from './cluster-state.ts'
import type { ClusterRow, Desired, InstanceRow, OperationRow } from './cluster-tables.ts'
import { type Viewer, visibleTo } from './visibility.ts'

/** A cluster with its master and the operation under way. */
export interface Snapshot {
  cluster: ClusterRow
  master: InstanceRow
  operation: OperationRow | undefined
}

export async function findSnapshot(db: Db, clusterId: string): Promise<Snapshot | undefined> {
  const [cluster, master, operation] = await Promise.all([
    db.selectFrom('clusters').selectAll().where('id', '=', clusterId).executeTakeFirst(),
    findMaster(db, clusterId),
    db
      .selectFrom('operations')
      .selectAll()
      .where('cluster_id', '=', clusterId)
      .where('state', '=', 'running')
      .executeTakeFirst(),
  ])
  return cluster && master && { cluster, master, operation }
}

/** Differs when something was written that a reconciler may have to act on: a wish, a status, an agent's report. */
export function versionOf({ cluster, master }: Snapshot): string {
  return versionText(cluster.revision, master.agent_facts)
}

function versionText(revision: number, agentFacts: string | null): string {
  return `${revision} ${agentFacts}`
}

/** The version as it is now; undefined for a cluster that does not exist. */
export async function findVersionOf(db: Db, clusterId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('clusters')
    .innerJoin('instances', 'instances.cluster_id', 'clusters.id')
    .select(['clusters.revision', 'instances.agent_facts'])
    .where('clusters.id', '=', clusterId)
    .where('instances.role', '=', 'master')
    .executeTakeFirst()
  return row && versionText(row.revision, row.agent_facts)
}

export async function findMaster(db: Db, clusterId: string): Promise<InstanceRow | undefined> {
  return await db
    .selectFrom('instances')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('role', '=', 'master')
    .executeTakeFirst()
}

/** A cluster that `viewer` may act on, locked until the transaction ends. */
export async function lockVisibleCluster(trx: Trx, viewer: Viewer, clusterId: string): Promise<ClusterRow | undefined> {
  return await trx
    .selectFrom('clusters')
    .selectAll()
    .where('id', '=', clusterId)
    .where((from) => visibleTo(viewer, from.ref('clusters.owner')))
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Locks the row until the transaction ends, if it is still as it was read. */
export async function lockRevision(trx: Trx, cluster: ClusterRow): Promise<boolean> {
  const row = await trx
    .selectFrom('clusters')
    .select('id')
    .where('id', '=', cluster.id)
    .where('revision', '=', cluster.revision)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export interface Move {
  to: Position
  at: Date
  /** Why the operation failed; null when it did not. */
  error: string | null
  /** What a person wants now; left out when nobody asked for anything. */
  desired?: Desired
}

/**
 * Writes a decided status to the cluster and its master and tells the owner. False when the row changed since it was
 * read: then nothing was written.
 */
export async function saveMove(trx: Trx, cluster: ClusterRow, { to, at, error, desired }: Move): Promise<boolean> {
  const atRest = !isTransitioning(to.status)
  const generation = cluster.generation + (desired === undefined ? 0 : 1)
  const { numUpdatedRows } = await trx
    .updateTable('clusters')
    .set({
      status: to.status,
      trail: [...to.trail],
      desired: desired ?? cluster.desired,
      generation,
      observed_generation: atRest ? generation : cluster.observed_generation,
      revision: cluster.revision + 1,
      failed_calls: 0,
      last_failure: null,
      error,
      changed_at: at,
    })
    .where('id', '=', cluster.id)
    .where('revision', '=', cluster.revision)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await trx
    .updateTable('instances')
    .set({ status: to.status })
    .where('cluster_id', '=', cluster.id)
    .where('role', '=', 'master')
    .execute()
  await publishChange(trx, { account: cluster.owner, topic: 'cluster', id: cluster.id })
  return true
}

/** Counts a provider call that failed or led nowhere. Fenced like a move. */
export async function saveFailure(db: Db, cluster: ClusterRow, message: string, at: Date): Promise<void> {
  await db
    .updateTable('clusters')
    .set({ failed_calls: cluster.failed_calls + 1, last_failure: message.slice(0, 500), checked_at: at })
    .where('id', '=', cluster.id)
    .where('revision', '=', cluster.revision)
    .execute()
}

/** Notes that the reconciler looked, could see everything and had nothing to do: earlier failures are over. */
export async function saveChecked(db: Db, cluster: ClusterRow, at: Date): Promise<void> {
  await db
    .updateTable('clusters')
    .set({ checked_at: at, failed_calls: 0, last_failure: null })
    .where('id', '=', cluster.id)
    .where('revision', '=', cluster.revision)
    .execute()
}

/** What a boot leaves behind, noted before the call that boots. */
export async function saveBoot(
  db: Db,
  master: InstanceRow,
  note: { bootBefore: string | null; restartFrom?: string; recovers?: boolean },
): Promise<void> {
  await db
    .updateTable('instances')
    .set({
      boot_before: note.bootBefore,
      ...(note.restartFrom !== undefined && { restart_from: note.restartFrom }),
      ...(note.recovers && { recoveries: master.recoveries + 1 }),
    })
    .where('id', '=', master.id)
    .execute()
}

export async function saveAddress(db: Db, master: InstanceRow, address: { host: string; port: number }): Promise<void> {
  if (master.host === address.host && master.port === address.port) return
  await db.updateTable('instances').set(address).where('id', '=', master.id).execute()
}

/** Opens an operation; one that is still running is ended as superseded first. */
export async function insertOperation(
  trx: Trx,
  cluster: { id: string; owner: string },
  operation: { kind: Operation['kind']; at: Date; deadlineMs: number },
): Promise<void> {
  await endOperation(trx, cluster.id, { error: `Superseded by ${operation.kind}.`, at: operation.at })
  await trx
    .insertInto('operations')
    .values({
      id: newId('op'),
      cluster_id: cluster.id,
      owner: cluster.owner,
      kind: operation.kind,
      state: 'running',
      started_at: operation.at,
      deadline_at: new Date(operation.at.getTime() + operation.deadlineMs),
    })
    .execute()
}

/** Ends the running operation, as failed when there is an error; without one nothing happens. */
export async function endOperation(
  trx: Trx,
  clusterId: string,
  { error, at }: { error: string | null; at: Date },
): Promise<void> {
  await trx
    .updateTable('operations')
    .set({ state: error === null ? 'done' : 'failed', ended_at: at, error })
    .where('cluster_id', '=', clusterId)
    .where('state', '=', 'running')
    .execute()
}

export const reconcileJob = 'cluster.reconcile'

/**
 * Has the cluster looked at, now or at `runAt`. The timer has a key of its own: setting it must not put off a look that
 * is due now.
 */
export async function enqueueReconcile(db: Db | Trx, clusterId: string, runAt?: Date): Promise<void> {
  const key = runAt ? `${reconcileJob}:${clusterId}:timer` : `${reconcileJob}:${clusterId}`
  await enqueueJob(db, reconcileJob, { clusterId }, { key, ...(runAt && { runAt }) })
}

/** This deployment's id towards providers; the migration made it. */
export async function getDeployment(db: Db): Promise<string> {
  return (await db.selectFrom('deployments').select('id').executeTakeFirstOrThrow()).id
}
