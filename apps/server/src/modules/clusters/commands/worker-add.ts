import type { ClusterStatus } from '@atoll/contract/clusters'
import type { Caller } from '../../../platform/caller.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { CatalogOffering } from '../../catalog/index.ts'
import { type ClusterDeps, deadlineMs } from '../cluster-deps.ts'
import { insertInstance } from '../instances/instance-store.ts'
import { clusterFactsOf } from '../lifecycle/action-facts.ts'
import { clusterRefusal, refuseIf, refuseWorkers } from '../lifecycle/action-refusals.ts'
import { insertOperation } from '../operations/operation-store.ts'
import { auditInstance, type ClusterCommand, type OfCluster, runCommand, setDesired } from './cluster-command.ts'
import { findOffering, requireQuota } from './cluster-create.ts'

/**
 * Orders workers of one size for a running Cloud cluster, in the region of its master: all of them or none. The quota
 * is the owner's, whoever asks; with their account locked, two orders at the same instant cannot both use the last of
 * it.
 */
export async function addWorkers(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster & { offering: string; quantity: number },
): Promise<{ instanceIds: string[]; status: ClusterStatus }> {
  const request = { call: 'createWorker', body, clusterId: body.clusterId }
  return await runCommand(deps, caller, request, async (command) => {
    const { trx, limits, cluster, instances, master } = command
    const facts = clusterFactsOf(deps, cluster, caller, instances)
    if (facts.clusterType === 'SelfHost') return refuse('workerSelfHosted')
    refuseIf(refuseWorkersOf(master, facts, body.quantity))
    const { cloud_name: cloudName, region_id: regionId } = cluster
    if (cloudName === null || regionId === null) throw new Error('A Cloud cluster without a cloud passed the checks')
    const offering = findOffering(
      deps.compute.catalog,
      { cloudName, regionId, offering: body.offering },
      limits.currency,
    )
    await requireQuota(trx, cluster.owner, limits, offering.cpuCoreCount * body.quantity)
    const used = new Set(instances.map(({ ordinal }) => ordinal))
    const instanceIds: string[] = []
    for (let ordinal = 1; instanceIds.length < body.quantity; ordinal += 1) {
      if (!used.has(ordinal)) instanceIds.push(await orderWorker(deps, command, offering, ordinal))
    }
    await setDesired(command)
    return { instanceIds, status: 'fetching' }
  })
}

function refuseWorkersOf(
  master: Parameters<typeof clusterRefusal>[0],
  facts: Parameters<typeof clusterRefusal>[1],
  quantity: number,
) {
  // Too many is told with the number that was asked for.
  const refusal = clusterRefusal(master, { ...facts, workerCount: 0, maxWorkers: 1 }, 'addWorker')
  return refusal ?? refuseWorkers(facts, quantity)
}

/** One worker that waits to be made, with its operation and its record; gives its id. */
async function orderWorker(
  deps: ClusterDeps,
  command: ClusterCommand,
  offering: CatalogOffering,
  ordinal: number,
): Promise<string> {
  const { trx, caller, cluster, at } = command
  const worker = await insertInstance(
    trx,
    {
      cluster_id: cluster.id,
      owner: cluster.owner,
      role: 'worker',
      ordinal,
      offering: offering.name,
      cpu_core_count: offering.cpuCoreCount,
      memory_mib: offering.memoryMiB,
      disk_mib: offering.diskMiB,
    },
    at,
  )
  const { id, status } = worker
  const kind = 'addWorker'
  await insertOperation(trx, worker, { kind, status, at, deadlineMs: deadlineMs(deps, kind), by: caller.userid })
  await auditInstance(command, 'instance.add', worker, {
    after: { status, offering: offering.name, clusterId: cluster.id },
  })
  return id
}
