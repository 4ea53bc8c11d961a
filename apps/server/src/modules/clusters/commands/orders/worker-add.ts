import type { createWorker } from '@atoll/contract/clusters'
import type { CallData } from '@atoll/contract/wire'
import type { Caller } from '../../../../platform/caller.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { refuse } from '../../../../platform/refusal.ts'
import type { CatalogOffering } from '../../../catalog/index.ts'
import { placeOrder } from '../../capacity/place-order.ts'
import { type ClusterDeps, deadlineMs } from '../../cluster-deps.ts'
import { insertInstance, sizeOfOffering } from '../../instances/instance-store.ts'
import { clusterFactsOf } from '../../lifecycle/action-facts.ts'
import { clusterRefusal, refuseIf, refuseWorkers } from '../../lifecycle/action-refusals.ts'
import type { InstanceRow } from '../../tables.ts'
import { auditInstance, type ClusterCommand, type OfCluster, runCommand, setDesired } from '../cluster-command.ts'
import { findOffering, requireQuota } from './cluster-create.ts'
import { awaitPayment, readOutcome, readStatus, sellInstances, statusOf, termsFor } from './order-sale.ts'

type PlacedWorkers = CallData<typeof createWorker>

/**
 * Orders workers of one size for a running Cloud cluster, in the region of its master: all of them or none. The owner's
 * quota applies, also when somebody else orders. The owner's account is locked, so that two concurrent orders cannot
 * both use the last of the quota.
 */
export async function addWorkers(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster & {
    offering: string
    quantity: number
    couponCode?: string | undefined
    estimateToken?: string | undefined
    methodId?: string | undefined
  },
): Promise<PlacedWorkers> {
  const { clusterId, offering: name, quantity } = body
  const renew = async (db: Db, { instanceIds, invoiceId }: PlacedWorkers): Promise<PlacedWorkers> => {
    const outcome = await readOutcome(deps, db, caller.userid, invoiceId)
    return { instanceIds, status: statusOf(await readStatus(db, instanceIds[0] ?? ''), outcome), ...outcome }
  }
  const request = { call: 'createWorker', body, clusterId, renew }
  const placed = await runCommand(deps, caller, request, async (command) => {
    const { trx, limits, cluster, instances, master, at } = command
    const facts = clusterFactsOf(deps, cluster, caller, instances)
    if (facts.clusterType === 'SelfHost') return refuse('workerSelfHosted')
    refuseIf(refuseWorkersOf(master, facts, quantity))
    const { cloud_name: cloudName, region_id: regionId } = cluster
    if (cloudName === null || regionId === null) throw new Error('A Cloud cluster without a cloud passed the checks')
    const offering = findOffering(deps, { cloudName, regionId, offering: name }, limits.currency)
    await requireQuota(trx, cluster.owner, limits, offering.cpuCoreCount * quantity)
    const place = { cloudName, regionId, offering, count: quantity }
    const members = await placeOrder(trx, deps.compute.catalog, place)
    const terms = termsFor(cloudName, offering, { currency: limits.currency, isOwner: facts.isOwner })
    // They would be the owner's, who has not asked for it.
    if ((body.couponCode ?? body.methodId) !== undefined && !facts.isOwner) refuse('ownerOnly')
    const status = terms.amount > 0 ? 'unpaid' : 'fetching'
    const used = new Set(instances.map(({ ordinal }) => ordinal))
    const workers: InstanceRow[] = []
    for (let ordinal = 1; workers.length < quantity; ordinal += 1) {
      if (!used.has(ordinal))
        workers.push(
          await insertWorker(command, offering, { ordinal, status, member: members[workers.length] ?? null }),
        )
    }
    const sold = await sellInstances(deps, trx, {
      userid: cluster.owner,
      limits,
      clusterId,
      request: { kind: 'worker', clusterId, offering: name, quantity, couponCode: body.couponCode },
      estimateToken: body.estimateToken,
      methodId: body.methodId,
      instances: workers,
      terms,
      operation: { kind: 'addWorker', at, deadlineMs: deadlineMs(deps, 'addWorker'), by: caller.userid },
    })
    for (const worker of workers) {
      const after = { status: sold.status, offering: offering.name, clusterId }
      await auditInstance(command, 'instance.add', worker, { after })
    }
    await setDesired(command)
    return { instanceIds: workers.map(({ id }) => id), ...sold }
  })
  return await awaitPayment(deps, caller.userid, placed, renew)
}

function refuseWorkersOf(
  master: Parameters<typeof clusterRefusal>[0],
  facts: Parameters<typeof clusterRefusal>[1],
  quantity: number,
) {
  // Too many is refused with the number that was asked for.
  const refusal = clusterRefusal(master, { ...facts, workerCount: 0, maxWorkers: 1 }, 'addWorker')
  return refusal ?? refuseWorkers(facts, quantity)
}

/** One worker that waits to be made or to be paid. */
async function insertWorker(
  { trx, cluster, at }: ClusterCommand,
  offering: CatalogOffering,
  { ordinal, status, member }: { ordinal: number; status: 'fetching' | 'unpaid'; member: string | null },
): Promise<InstanceRow> {
  const place = { cluster_id: cluster.id, owner: cluster.owner, role: 'worker', ordinal } as const
  return await insertInstance(trx, { ...place, ...sizeOfOffering(offering), status, member }, at)
}
