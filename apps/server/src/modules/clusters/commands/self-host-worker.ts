/** Further hosts of a self-hosted cluster: the command that enrolls one, and the row it gets when it comes. */
import type { EnrollCommand, InstanceRole } from '@atoll/contract/clusters'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { listRunningOperations, moveDeadline } from '../../../platform/operations/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { IssuedCommand } from '../../agents/index.ts'
import { type ClusterDeps, deadlineMs } from '../cluster-deps.ts'
import { insertInstance, listInstances } from '../instances/instance-store.ts'
import { clusterFactsOf } from '../lifecycle/action-facts.ts'
import { clusterRefusal, refuseIf, refuseWorkers } from '../lifecycle/action-refusals.ts'
import { insertOperation, operationOf } from '../operations/operation-store.ts'
import { wishInstall } from '../reconcile/provider-calls.ts'
import { countGeneration, enqueueReconcile } from '../reconcile/reconcile-store.ts'
import {
  allowedMove,
  auditCluster,
  type ClusterCommand,
  moveInstance,
  type OfCluster,
  runCommand,
  want,
} from './cluster-command.ts'

/**
 * A fresh command for the cluster's one master, or for one more host. Refused for clusters of other kinds. The same
 * `requestId` again gives the same command: what is kept to be repeated names the command and does not hold its token.
 */
export async function issueSelfHostCommand(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster & { role: InstanceRole },
): Promise<EnrollCommand> {
  const { clusterId, role } = body
  const issued = await runCommand(deps, caller, { call: 'selfHostCommand', body, clusterId }, async (command) => {
    if (command.cluster.cluster_type !== 'SelfHost') return refuse('selfHostOnly')
    const made = role === 'master' ? await issueForMaster(deps, command) : await issueForWorker(deps, command)
    await auditCluster(command, 'cluster.issueToken', { after: { role, expireAt: made.expireAt } })
    return made
  })
  return deps.enrollCommands.describe(issued)
}

/** Waits anew for the host, as long as the new command is good; after an error too. */
async function issueForMaster(deps: ClusterDeps, command: ClusterCommand): Promise<IssuedCommand> {
  const { trx, cluster, master, at } = command
  const isWaiting = master.status === 'fetching' || master.status === 'queuing'
  const gaveUp =
    master.status === 'errored' && (master.trail.at(-1) === 'queuing' || master.trail.at(-1) === 'fetching')
  if (!isWaiting && !gaveUp) return refuse('selfHostEnrolled')
  const issued = await deps.enrollCommands.issue(trx, { instanceId: master.id, clusterId: cluster.id })
  if (!issued) return refuse('selfHostEnrolled')
  const running = operationOf(await listRunningOperations(trx, cluster.id), master)
  if (isWaiting && running) await moveDeadline(trx, running, new Date(issued.expireAt))
  if (gaveUp) {
    const to = allowedMove(master, 'retry')
    const deadlineMs = new Date(issued.expireAt).getTime() - at.getTime()
    await moveInstance(deps, command, master, { to, kind: 'retry', deadlineMs })
    await want(command)
  } else await enqueueReconcile(trx, cluster.id)
  return issued
}

async function issueForWorker(
  deps: ClusterDeps,
  { trx, caller, cluster, instances, master }: ClusterCommand,
): Promise<IssuedCommand> {
  refuseIf(clusterRefusal(master, clusterFactsOf(deps, cluster, caller, instances), 'addWorker'))
  return await deps.enrollCommands.issueForWorker(trx, cluster.id)
}

/**
 * The row of a host that came with a worker's command, in the transaction that spends the token; undefined when the
 * cluster is gone, does not run or has no room for it. `makeAgent` makes the row of its agent, before anything is
 * wished of it.
 */
export async function admitWorker(
  deps: ClusterDeps,
  trx: Trx,
  clusterId: string,
  makeAgent: (instanceId: string) => Promise<void>,
): Promise<string | undefined> {
  const cluster = await trx
    .selectFrom('clusters')
    .selectAll()
    .where('id', '=', clusterId)
    .where('cluster_type', '=', 'SelfHost')
    .where('desired', '=', 'running')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!cluster) return undefined
  const instances = await listInstances(trx, clusterId)
  const workers = instances.filter(({ role }) => role === 'worker')
  const { maxWorkers } = deps.compute.catalog
  if (instances.length === workers.length || refuseWorkers({ workerCount: workers.length, maxWorkers }, 1))
    return undefined
  const at = deps.clock.now()
  const used = new Set(instances.map(({ ordinal }) => ordinal))
  let ordinal = 1
  while (used.has(ordinal)) ordinal += 1
  const worker = await insertInstance(
    trx,
    {
      cluster_id: clusterId,
      owner: cluster.owner,
      role: 'worker',
      ordinal,
      offering: null,
      // Until it reports what it has.
      cpu_core_count: 0,
      memory_mib: 0,
      disk_mib: 0,
    },
    at,
  )
  const { status } = worker
  const kind = 'addWorker'
  await insertOperation(trx, worker, { kind, status, at, deadlineMs: deadlineMs(deps, kind), by: cluster.owner })
  await makeAgent(worker.id)
  await wishInstall(deps, trx, worker, { taskId: worker.install_task, version: cluster.version })
  await countGeneration(trx, cluster)
  await enqueueReconcile(trx, clusterId)
  await publishChange(trx, { account: cluster.owner, topic: 'cluster', id: clusterId })
  return worker.id
}
