/** A place for a cluster on a host, and the command that enrolls it. */
import { enrollTokenLifetimeMs, type PlacedOrder, type SelfHostOrder } from '@atoll/contract/clusters'
import { sql } from 'kysely'
import type { Caller } from '../../../../platform/caller.ts'
import { newId } from '../../../../platform/crypto.ts'
import type { Trx } from '../../../../platform/db/index.ts'
import { publishChange } from '../../../../platform/events/index.ts'
import { refuse } from '../../../../platform/refusal.ts'
import { once } from '../../../../platform/requests/index.ts'
import { findHeldScope } from '../../../accounts/index.ts'
import { recordAudit } from '../../../audit/index.ts'
import { isPastDue } from '../../../billing/index.ts'
import type { ClusterDeps } from '../../cluster-deps.ts'
import { requestInstall } from '../../instances/install-request.ts'
import { endedStatuses, insertInstance, sizeOfOffering } from '../../instances/instance-store.ts'
import { enqueueReconcile } from '../../instances/reconcile-store.ts'
import { isTunnelToken } from '../../network/cloudflare-token.ts'
import { chooseHostLabel } from '../../network/host-label.ts'
import { insertOperation } from '../../operations/operation-store.ts'
import { chooseName } from './cluster-create.ts'

/**
 * Makes the rows of a self-hosted cluster, which then waits for its host, and the command to run there. The same
 * `requestId` again gives the same command: what is kept to be repeated names the command and does not hold its token.
 */
export async function orderSelfHost(deps: ClusterDeps, caller: Caller, order: SelfHostOrder): Promise<PlacedOrder> {
  const { userid } = caller
  const kept = await once(deps, { owner: userid, call: 'createCluster', body: order }, async (trx) => {
    const { product, walletName: wallet } = deps.config
    const limits = await deps.accounts.lockLimits(trx, userid)
    if (!limits.canCreateCluster) refuse('createNotPermitted', { product })
    const { terminusName } = await deps.accounts.getUser(trx, userid)
    if (terminusName === null) return refuse('idNotBound', { product, wallet })
    if (order.cloudflare && !isTunnelToken(order.cloudflare.tunnelToken)) refuse('tunnelTokenMalformed')
    if (await isPastDue(trx, userid)) refuse('accountPastDue')
    if (await findHeldScope(trx, userid, undefined)) refuse('accountHeld')
    await requireRoom(trx, userid, deps.config.selfHostClusters)
    const name = await chooseName(trx, userid, order.name, product)
    const hostLabel = await chooseHostLabel(trx, { owner: userid, terminusName, now: deps.clock.now() })
    const made = await insertSelfHost(deps, trx, { caller, order, name, hostLabel })
    await deps.customHosts.give(trx, userid)
    await recordAudit(trx, {
      actor: caller,
      ip: caller.ip,
      action: 'cluster.create',
      object: { kind: 'cluster', id: made.clusterId, owner: userid, name },
      after: { status: 'fetching', reverseProxy: order.reverseProxy },
    })
    return made
  })
  const { clusterId, ...issued } = kept
  return { clusterId, status: 'fetching', amount: 0, paid: true, ...deps.enrollCommands.describe(issued) }
}

/** Refuses one more than `most`. Needs the lock of the account (`lockLimits`). */
async function requireRoom(trx: Trx, userid: string, most: number): Promise<void> {
  const { count } = await trx
    .selectFrom('clusters')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('owner', '=', userid)
    .where('cluster_type', '=', 'SelfHost')
    .where('status', 'not in', endedStatuses)
    .executeTakeFirstOrThrow()
  if (count >= most) refuse('selfHostTooMany', { most })
}

async function insertSelfHost(
  deps: ClusterDeps,
  trx: Trx,
  { caller, order, name, hostLabel }: { caller: Caller; order: SelfHostOrder; name: string; hostLabel: string },
) {
  const { clock, compute, enrollCommands, restores, sealer } = deps
  const { userid } = caller
  const clusterId = newId('cl')
  const at = clock.now()
  const { versions } = compute.catalog
  const version = versions.find((candidate) => candidate.recommended) ?? versions[0]
  if (!version) throw new Error('A catalogue without versions was loaded')
  await trx
    .insertInto('clusters')
    .values({
      id: clusterId,
      owner: userid,
      name,
      cluster_type: 'SelfHost',
      version: version.version,
      reverse_proxy: order.reverseProxy,
      direct_address: order.address ?? null,
      cloudflare_hostname: order.cloudflare?.hostname ?? null,
      cloudflare_token: order.cloudflare ? sealer.seal('tunnel token', order.cloudflare.tunnelToken) : null,
      host_label: hostLabel,
      status: 'fetching',
      desired: 'running',
      created_at: at,
      changed_at: at,
      checked_at: at,
    })
    .execute()
  const restoreId = order.restore && (await restores.begin(trx, caller, { clusterId, ...order.restore }))
  const place = { cluster_id: clusterId, owner: userid, role: 'master', ordinal: 0 } as const
  const restore = restoreId !== undefined && { restore_id: restoreId }
  const master = await insertInstance(trx, { ...place, ...sizeOfOffering(null), ...restore }, at)
  const { id: instanceId, install_task: taskId } = master
  const issued = await enrollCommands.issue(trx, { instanceId, clusterId })
  if (!issued) throw new Error('An instance that was just made has an agent')
  await requestInstall(deps, trx, master, { taskId, version: version.version })
  // Until the command expires; the install gets its own deadline once the host has joined.
  await insertOperation(trx, master, {
    kind: 'create',
    status: master.status,
    at,
    deadlineMs: enrollTokenLifetimeMs,
    by: userid,
  })
  await enqueueReconcile(trx, clusterId)
  await publishChange(trx, { account: userid, topic: 'cluster', id: clusterId })
  return { clusterId, ...issued }
}
