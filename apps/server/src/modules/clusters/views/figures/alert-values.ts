/** Values of clusters for alert rules, read in one statement each for all clusters. */
import { sql } from 'kysely'
import type { Caller } from '../../../../platform/caller.ts'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { refuse } from '../../../../platform/refusal.ts'
import { endedStatuses } from '../../instances/instance-store.ts'
import { lockVisibleCluster } from '../../instances/reconcile-store.ts'

/** Instances with a failed workload, and what that is called; `value` is 1. Others are left out. */
export async function listFailedWorkloads(db: Db): Promise<{ instanceId: string; value: number; subject: string }[]> {
  // Most have none: only texts in which the word stands are read as JSON.
  const { rows } = await sql<{ id: string; failed: string | null }>`
    select id, (select coalesce(one ->> 'title', one ->> 'name') from jsonb_array_elements(workloads::jsonb) as one
      where one ->> 'state' = 'Failed' order by one ->> 'since' limit 1) as failed
    from instances where workloads like '%"Failed"%' and status not in (${sql.join(endedStatuses)})`.execute(db)
  return rows.flatMap(({ id, failed }) => (failed === null ? [] : [{ instanceId: id, value: 1, subject: failed }]))
}

/** Attaches values of clusters to the master of each; values of a cluster without a master are dropped. */
export async function onMasters<Value extends { clusterId: string }>(
  db: Db,
  values: readonly Value[],
): Promise<(Value & { instanceId: string })[]> {
  const masters = await db
    .selectFrom('instances')
    .select(['cluster_id', 'id'])
    .where('cluster_id', '=', sql<string>`any(${values.map(({ clusterId }) => clusterId)}::text[])`)
    .where('role', '=', 'master')
    .where('replaced_at', 'is', null)
    .execute()
  const masterOf = new Map(masters.map(({ cluster_id, id }) => [cluster_id, id]))
  return values.flatMap((value) => {
    const instanceId = masterOf.get(value.clusterId)
    return instanceId === undefined ? [] : [{ ...value, instanceId }]
  })
}

/** Locks a living cluster that `caller` may change; refuses one that they may not see like one that does not exist. */
export async function lockCluster(
  trx: Trx,
  caller: Caller,
  clusterId: string,
): Promise<{ name: string; owner: string }> {
  const cluster = await lockVisibleCluster(trx, caller, clusterId)
  if (!cluster || endedStatuses.some((ended) => ended === cluster.status))
    return refuse('notFound', { object: 'cluster' })
  return cluster
}
