import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import type { AgentDescription, AgentRef, AgentRow } from '../agents/index.ts'
import { nameOf } from '../identity/index.ts'
import type { ClusterAgents, ClusterConfig } from './cluster-deps.ts'
import { enqueueReconcile } from './reconcile-store.ts'

/**
 * In the transaction that stores an agent's report or its disconnect: copies what lists show, tells the owner, and has
 * the cluster looked at when something changed that could lead to a next step. A line of the log alone does not.
 */
export async function applyAgentChange(
  agents: ClusterAgents,
  trx: Trx,
  { clusterId, instanceId }: AgentRef,
): Promise<void> {
  const [agent] = await agents.listAgents(trx, [instanceId])
  const before = await trx
    .selectFrom('instances')
    .select(['owner', 'install_task', 'install_log', 'agent_facts'])
    .where('id', '=', instanceId)
    .where('cluster_id', '=', clusterId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!agent || !before) return
  const facts = JSON.stringify(factsOf(agent))
  // Until a retried install is taken up, the log of the failed one stays.
  const log = agent.install.taskId === before.install_task ? JSON.stringify(agent.install.steps) : before.install_log
  const isNews = facts !== before.agent_facts
  if (!isNews && log === before.install_log) return
  await trx
    .updateTable('instances')
    .set({
      install_log: log,
      os_active: agent.osActive,
      has_password: agent.oneTimePassword !== null,
      agent_facts: facts,
    })
    .where('id', '=', instanceId)
    .execute()
  await publishChange(trx, { account: before.owner, topic: 'cluster', id: clusterId })
  if (isNews) await enqueueReconcile(trx, clusterId)
}

function factsOf({ connected, bootId, port, osActive, oneTimePassword, install, drainedTask }: AgentRow): unknown[] {
  const hasPassword = oneTimePassword !== null
  return [connected, bootId, port, osActive, hasPassword, install.taskId, install.state, drainedTask]
}

/** What an agent is told about its instance; undefined when the instance is gone. */
export async function describeInstance(
  config: ClusterConfig,
  db: Db,
  instanceId: string,
): Promise<AgentDescription | undefined> {
  const row = await db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select((from) => [
      'clusters.id',
      'clusters.name',
      'clusters.owner',
      'clusters.host_label',
      nameOf(from.ref('clusters.owner')).as('terminus_name'),
    ])
    .where('instances.id', '=', instanceId)
    .where('clusters.status', 'not in', ['destroyed', 'canceled'])
    .executeTakeFirst()
  if (!row) return undefined
  return {
    clusterId: row.id,
    instanceId,
    clusterName: row.name,
    owner: { did: row.owner, terminusName: row.terminus_name ?? '' },
    publicUrl: config.clusterUrl(row.host_label),
    product: config.product,
    walletUrl: config.walletUrl,
  }
}
