import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { EnrollDeps } from '../../agents/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { deadlineMs, type IntakeDeps } from '../cluster-deps.ts'
import { installOf } from '../instances/install-request.ts'
import { listInstances } from '../instances/instance-store.ts'
import { putInPlace } from '../instances/put-in-place.ts'
import { countGeneration, enqueueReconcile } from '../instances/reconcile-store.ts'
import { isRefused, transition } from '../lifecycle/cluster-state.ts'

type Replacing = Parameters<EnrollDeps['replaceMaster']>

/**
 * Another machine came in the place of a self-hosted cluster's own, in the transaction that spends its token: the old
 * master ends, its agent is forgotten, and a new master is made, of a backup where the owner asked for that. Cluster,
 * address, hosts and backups' plans stay, and so do its workers, which know nothing of their master. Undefined when the
 * cluster is gone, given up or being destroyed.
 */
export async function replaceMaster(
  { catalog, clock, deadlines, restores }: IntakeDeps,
  trx: Trx,
  { clusterId, restore }: Replacing[1],
  agents: Replacing[2],
): Promise<string | undefined> {
  const cluster = await trx
    .selectFrom('clusters')
    .selectAll()
    .where('id', '=', clusterId)
    .where('cluster_type', '=', 'SelfHost')
    .where('desired', '=', 'running')
    .where('given_up_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const old = cluster && (await listInstances(trx, clusterId)).find(({ role }) => role === 'master')
  const gone = old && transition(old, 'machineReplaced')
  if (!cluster || !old || !gone || isRefused(gone)) return undefined
  const { owner, name } = cluster
  const at = clock.now()
  const by = { userid: owner, sessionId: null, ip: null }
  const restoreId = restore && (await restores.begin(trx, by, { clusterId, ...restore }))
  if (!restore) await restores.end(trx, { owner, clusterId })
  await agents.forget(old.id)
  const kind = 'replaceMachine'
  const master = await putInPlace(trx, old, {
    gone,
    restoreId,
    kind,
    at,
    by: owner,
    deadlineMs: deadlineMs({ ...(deadlines && { deadlines }) }, kind),
  })
  await agents.make(
    master.id,
    installOf(catalog.current(), master, { taskId: master.install_task, version: cluster.version }),
  )
  await recordAudit(trx, {
    actor: 'system',
    ip: null,
    action: 'cluster.replaceMachine',
    object: { kind: 'cluster', id: clusterId, owner, name },
    before: { status: old.status, instanceId: old.id },
    after: { status: master.status, instanceId: master.id },
  })
  await countGeneration(trx, cluster)
  await enqueueReconcile(trx, clusterId)
  await publishChange(trx, { account: owner, topic: 'cluster', id: clusterId })
  return master.id
}
