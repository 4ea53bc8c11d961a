/**
 * Instances for the meters: those of clouds only. An owner's own machine is not metered, and drills are the operator's.
 */
import type { Db } from '../../../../platform/db/index.ts'
import { endedStatuses } from '../../instances/instance-store.ts'

/** The instances of clouds that are not gone. `diskTotal` is what was ordered, bytes. */
export async function listMeteredInstances(db: Db) {
  const rows = await db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select([
      'instances.id as instanceId',
      'cluster_id as clusterId',
      'instances.owner',
      'instances.status',
      'disk_mib',
    ])
    .where('cluster_type', '=', 'Cloud')
    .where('clusters.purpose', '=', 'user')
    .where('replaced_at', 'is', null)
    .where('instances.status', 'not in', endedStatuses)
    .execute()
  return rows.map(({ status, disk_mib, ...place }) => ({
    ...place,
    stopped: status === 'stopped',
    diskTotal: disk_mib * 1024 * 1024,
  }))
}

/** When these instances ended, or were given up for another; those that did. */
export async function listEnds(db: Db, instanceIds: readonly string[]): Promise<{ instanceId: string; at: Date }[]> {
  if (instanceIds.length === 0) return []
  const rows = await db
    .selectFrom('instances')
    .select(['id', 'replaced_at', 'changed_at'])
    .where('id', 'in', instanceIds)
    .where((from) => from.or([from('replaced_at', 'is not', null), from('status', 'in', endedStatuses)]))
    .execute()
  return rows.map(({ id, replaced_at, changed_at }) => ({ instanceId: id, at: replaced_at ?? changed_at }))
}
