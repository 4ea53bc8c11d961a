import { type CloudOrder, type ClusterStatus, nextClusterName, type PlacedOrder } from '@atoll/contract/clusters'
import type { Currency } from '@atoll/money'
import type { Caller } from '../../../../platform/caller.ts'
import { newId } from '../../../../platform/crypto.ts'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { publishChange } from '../../../../platform/events/index.ts'
import { refuse } from '../../../../platform/refusal.ts'
import { once } from '../../../../platform/requests/index.ts'
import { recordAudit } from '../../../audit/index.ts'
import { type CatalogOffering, priceIn } from '../../../catalog/index.ts'
import { placeOrder } from '../../capacity/place-order.ts'
import { type ClusterDeps, deadlineMs } from '../../cluster-deps.ts'
import { insertInstance, sizeOfOffering, sumCpuCores } from '../../instances/instance-store.ts'
import { enqueueReconcile } from '../../instances/reconcile-store.ts'
import { chooseHostLabel } from '../../network/host-label.ts'
import type { InstanceRow } from '../../tables.ts'
import { listNames, requireFreeName } from '../cluster-rename.ts'
import { awaitPayment, readOutcome, sellInstances, statusOf, termsFor } from './order-sale.ts'

/**
 * Orders a cluster: writes the desired state and the job that makes it so, in one transaction, under the lock of the
 * account, so that two orders at the same instant cannot both use the last of the quota or the same name.
 */
export async function orderCluster(deps: ClusterDeps, caller: Caller, order: CloudOrder): Promise<PlacedOrder> {
  const { userid } = caller
  const place = async (trx: Trx): Promise<PlacedOrder> => {
    const { product, walletName: wallet } = deps.config
    const limits = await deps.accounts.lockLimits(trx, userid)
    if (!limits.canCreateCluster) refuse('createNotPermitted', { product })
    const { terminusName } = await deps.accounts.getUser(trx, userid)
    if (terminusName === null) return refuse('idNotBound', { product, wallet })
    const { catalog } = deps.compute
    const offering = findOffering(deps, order, limits.currency)
    if (!catalog.versions.some(({ version }) => version === order.version)) {
      refuse('versionUnknown', { version: order.version })
    }
    await requireQuota(trx, userid, limits, offering.cpuCoreCount)
    const [member = null] = await placeOrder(trx, catalog, { ...order, offering, count: 1 })
    const name = await chooseName(trx, userid, order.name, product)
    const terms = termsFor(order.cloudName, offering, { currency: limits.currency, isOwner: true })
    const costs = terms.amount > 0
    const at = deps.clock.now()
    const hostLabel = await chooseHostLabel(trx, { owner: userid, terminusName, now: at })
    const master = await insertCluster(deps, trx, { caller, order, offering, name, member, hostLabel, costs, at })
    const clusterId = master.cluster_id
    await deps.customHosts.give(trx, userid)
    const { status, ...outcome } = await sellInstances(deps, trx, {
      userid,
      limits,
      clusterId,
      request: { kind: 'cluster', offering: offering.name, couponCode: order.couponCode },
      estimateToken: order.estimateToken,
      methodId: order.methodId,
      instances: [master],
      terms,
      operation: { kind: 'create', at, deadlineMs: deadlineMs(deps, 'create'), by: userid },
    })
    // A payment wakes the cluster, and moving it on published the change.
    if (!costs || !outcome.paid) {
      await enqueueReconcile(trx, clusterId)
      await publishChange(trx, { account: userid, topic: 'cluster', id: clusterId })
    }
    await recordAudit(trx, {
      actor: caller,
      ip: caller.ip,
      action: 'cluster.create',
      object: { kind: 'cluster', id: clusterId, owner: userid, name },
      after: {
        status,
        region: `${order.cloudName}/${order.regionId}`,
        offering: order.offering,
        version: order.version,
      },
    })
    return { clusterId, status, ...outcome }
  }
  const renew = async (db: Db, { clusterId, invoiceId }: PlacedOrder): Promise<PlacedOrder> => {
    const outcome = await readOutcome(deps, db, userid, invoiceId)
    return { clusterId, status: statusOf(await readClusterStatus(db, clusterId), outcome), ...outcome }
  }
  const placed = await once(deps, { owner: userid, call: 'createCluster', body: order }, place, renew)
  return await awaitPayment(deps, userid, placed, renew)
}

async function readClusterStatus(db: Db, clusterId: string): Promise<ClusterStatus> {
  const row = await db.selectFrom('clusters').select('status').where('id', '=', clusterId).executeTakeFirstOrThrow()
  return row.status
}

/** The ordered offering, as the catalogue has it; refuses an offering that is not sold there now. */
export function findOffering(
  { compute: { catalog } }: Pick<ClusterDeps, 'compute'>,
  order: Pick<CloudOrder, 'cloudName' | 'regionId' | 'offering'>,
  currency: Currency,
): CatalogOffering {
  const cloud = catalog.clouds.find((candidate) => candidate.cloudName === order.cloudName)
  if (!cloud) return refuse('cloudUnknown', { cloud: order.cloudName })
  if (!cloud.regions.some((region) => region.regionId === order.regionId)) {
    refuse('regionUnknown', { region: order.regionId, cloud: order.cloudName })
  }
  const offering = cloud.offerings.find((candidate) => candidate.name === order.offering)
  if (!offering || !priceIn(offering.price, currency))
    return refuse('offeringUnknown', { offering: order.offering, region: order.regionId })
  if (offering.soldOutIn.includes(order.regionId)) {
    refuse('offeringSoldOut', { offering: order.offering, region: order.regionId })
  }
  return offering
}

/** Refuses `more` vCPU that would pass the account's quota. Needs the lock of the account (`lockLimits`). */
export async function requireQuota(
  trx: Trx,
  userid: string,
  { vCpuQuota }: { vCpuQuota: number },
  more: number,
): Promise<void> {
  const wanted = (await sumCpuCores(trx, userid)) + more
  if (wanted > vCpuQuota) refuse('vCpuQuotaPassed', { wanted, quota: vCpuQuota })
}

/** The name asked for, or the next one free; refuses what is malformed or taken. Needs the lock of the account. */
export async function chooseName(
  trx: Trx,
  userid: string,
  asked: string | undefined,
  product: string,
): Promise<string> {
  const taken = await listNames(trx, userid)
  return asked?.trim() ? requireFreeName(taken, asked, product) : nextClusterName(taken)
}

interface NewCluster {
  caller: Caller
  order: CloudOrder
  offering: CatalogOffering
  name: string
  member: string | null
  hostLabel: string
  /** It waits to be paid. */
  costs: boolean
  at: Date
}

async function insertCluster(
  deps: Pick<ClusterDeps, 'restores'>,
  trx: Trx,
  { caller, order, offering, name, member, hostLabel, costs, at }: NewCluster,
): Promise<InstanceRow> {
  const { userid } = caller
  const id = newId('cl')
  const status = costs ? 'unpaid' : 'fetching'
  await trx
    .insertInto('clusters')
    .values({
      id,
      owner: userid,
      name,
      cluster_type: order.clusterType,
      cloud_name: order.cloudName,
      region_id: order.regionId,
      offering: offering.name,
      version: order.version,
      host_label: hostLabel,
      status,
      desired: 'running',
      created_at: at,
      changed_at: at,
      checked_at: at,
    })
    .execute()
  const restoreId =
    order.restore && (await deps.restores.begin(trx, caller, { clusterId: id, offering, ...order.restore }))
  const place = { cluster_id: id, owner: userid, role: 'master', ordinal: 0 } as const
  const restore = restoreId !== undefined && { restore_id: restoreId }
  return await insertInstance(trx, { ...place, ...sizeOfOffering(offering), ...restore, member, status }, at)
}
