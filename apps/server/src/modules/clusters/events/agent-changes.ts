import { type Machine, taskEnds, taskKinds } from '@atoll/contract/agents'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { AgentRef, AgentRow, AgentTask } from '../../agents/index.ts'
import { enqueueReconcile } from '../instances/reconcile-store.ts'
import { recordActivity, recordCopy } from './instance-audit.ts'

/**
 * In the transaction that stores an agent's report or its disconnect: copies what lists show, publishes the change,
 * and wakes the cluster when something changed that could lead to a next step. A line of the log alone does not.
 */
export async function applyAgentChange(trx: Trx, { clusterId, instanceId }: AgentRef, agent: AgentRow): Promise<void> {
  const before = await trx
    .selectFrom('instances')
    .select(['owner', 'role', 'install_task', 'install_log', 'os_active', 'has_password', 'agent_facts', 'network'])
    .select(['workloads', 'copies'])
    .where('id', '=', instanceId)
    .where('cluster_id', '=', clusterId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!before) return
  const facts = JSON.stringify(factsOf(agent))
  // Until a retried install is taken up, the log of the failed one stays.
  const log = agent.install.taskId === before.install_task ? JSON.stringify(agent.install.steps) : before.install_log
  const isNews = facts !== before.agent_facts
  const network = agent.network && JSON.stringify({ state: agent.network.state, reason: agent.network.reason })
  const workloads = agent.workloads && JSON.stringify(agent.workloads)
  const copies = agent.copies && JSON.stringify(agent.copies)
  const isShown =
    copies !== before.copies ||
    log !== before.install_log ||
    network !== before.network ||
    workloads !== before.workloads
  if (!isNews && !isShown) return
  const size = agent.machine && (await isSelfHosted(trx, clusterId)) ? sizeOf(agent.machine) : undefined
  const activity = { os_active: agent.osActive, has_password: agent.oneTimePassword !== null }
  await trx
    .updateTable('instances')
    .set({
      install_log: log,
      ...activity,
      agent_facts: facts,
      network,
      workloads,
      copies,
      ...size,
    })
    .where('id', '=', instanceId)
    .execute()
  await recordActivity(trx, clusterId, before, activity)
  await recordCopy(trx, { clusterId, instanceId, before: before.copies, copies: agent.copies })
  await publishChange(trx, { account: before.owner, topic: 'cluster', id: clusterId })
  if (isNews) await enqueueReconcile(trx, clusterId)
}

/** The facts of an agent whose change may lead to a next step. Changes of tasks go to `applyTaskChange`. */
function factsOf(agent: AgentRow): unknown[] {
  const { connected, bootId, port, osActive, oneTimePassword, install, machine, network } = agent
  const hasPassword = oneTimePassword !== null
  const facts = [connected, bootId, port, osActive, hasPassword, install.taskId, install.state]
  return machine ? [...facts, ...Object.values(machine), network?.port ?? null] : facts
}

/** Tasks that clusters ask for. */
const ownTasks = new Set<string>(
  [taskKinds.drain, taskKinds.rotate, taskKinds.restart, taskKinds.leave].map(({ kind }) => kind),
)

/**
 * In the transaction that records the end of a task that clusters requested: publishes the change to the owner, who is
 * shown a new one-time password, and schedules a reconcile of the cluster, whose next step may depend on the task.
 */
export async function applyTaskChange(trx: Trx, { clusterId, instanceId }: AgentRef, task: AgentTask): Promise<void> {
  if (!ownTasks.has(task.kind) || !taskEnds.some((end) => end === task.state)) return
  const instance = await trx
    .selectFrom('instances')
    .select('owner')
    .where('id', '=', instanceId)
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  if (!instance) return
  await publishChange(trx, { account: instance.owner, topic: 'cluster', id: clusterId })
  await enqueueReconcile(trx, clusterId)
}

async function isSelfHosted(trx: Trx, clusterId: string): Promise<boolean> {
  const row = await trx.selectFrom('clusters').select('cluster_type').where('id', '=', clusterId).executeTakeFirst()
  return row?.cluster_type === 'SelfHost'
}

/** The maximum of the column; network file systems report 8 EiB. */
const mostMiB = 2 ** 31 - 1

/** A host is as large as it says; what was ordered has the size that was ordered. */
export function sizeOf({ cpuCoreCount, memoryMiB, diskMiB }: Machine) {
  return {
    cpu_core_count: cpuCoreCount,
    memory_mib: Math.min(memoryMiB, mostMiB),
    disk_mib: Math.min(diskMiB, mostMiB),
  }
}
