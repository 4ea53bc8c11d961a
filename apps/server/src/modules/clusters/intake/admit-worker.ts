import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { MakeAgent } from '../../agents/index.ts'
import { deadlineMs, type IntakeDeps } from '../cluster-deps.ts'
import { installOf } from '../instances/install-request.ts'
import { insertInstance, listInstances, sizeOfOffering } from '../instances/instance-store.ts'
import { countGeneration, enqueueReconcile } from '../instances/reconcile-store.ts'
import { refuseWorkers } from '../lifecycle/action-refusals.ts'
import { insertOperation } from '../operations/operation-store.ts'

/**
 * The row of a host that came with a worker's command, in the transaction that spends the token; undefined when the
 * cluster is gone, does not run or has no room for it.
 */
export async function admitWorker(
  { catalog, clock, deadlines }: IntakeDeps,
  trx: Trx,
  clusterId: string,
  makeAgent: MakeAgent,
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
  if (!cluster) return undefined
  const instances = await listInstances(trx, clusterId)
  const workers = instances.filter(({ role }) => role === 'worker')
  const { maxWorkers } = catalog.current()
  if (instances.length === workers.length || refuseWorkers({ workerCount: workers.length, maxWorkers }, 1))
    return undefined
  const at = clock.now()
  const used = new Set(instances.map(({ ordinal }) => ordinal))
  let ordinal = 1
  while (used.has(ordinal)) ordinal += 1
  const place = { cluster_id: clusterId, owner: cluster.owner, role: 'worker', ordinal } as const
  const worker = await insertInstance(trx, { ...place, ...sizeOfOffering(null) }, at)
  const { status } = worker
  const kind = 'addWorker'
  await insertOperation(trx, worker, {
    kind,
    status,
    at,
    deadlineMs: deadlineMs({ ...(deadlines && { deadlines }) }, kind),
    by: cluster.owner,
  })
  await makeAgent(
    worker.id,
    installOf(catalog.current(), worker, { taskId: worker.install_task, version: cluster.version }),
  )
  await countGeneration(trx, cluster)
  await enqueueReconcile(trx, clusterId)
  await publishChange(trx, { account: cluster.owner, topic: 'cluster', id: clusterId })
  return worker.id
}
