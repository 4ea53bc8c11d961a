import type { AgentState, InstallState } from '@atoll/contract/agents'
import { sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { AgentsRow } from './agents-tables.ts'
import './agents-tables.ts'

/** Who a change is about. */
export interface AgentRef {
  clusterId: string
  instanceId: string
}

/** The install that an instance shall have. `taskId` names this request: another one is another try. */
export interface InstallRequest {
  instanceId: string
  taskId: string
  version: string
  steps: readonly string[]
  /** What the step `script` runs; absent without that step. */
  script?: string
}

/**
 * The rows of the agents of `instanceIds`; an id without one is left out. `is_connected`: somebody holds the
 * connection and has noted so within `silenceMs`, by the database's clock.
 */
export async function listAgentRows(
  db: Db,
  instanceIds: readonly string[],
  silenceMs: number,
): Promise<(AgentsRow & { is_connected: boolean })[]> {
  if (instanceIds.length === 0) return []
  return await db
    .selectFrom('agents')
    .selectAll()
    .select(
      sql<boolean>`connection_id is not null and last_seen_at > clock_timestamp() - ${silenceMs} * interval '1 millisecond'`.as(
        'is_connected',
      ),
    )
    .where('instance_id', 'in', instanceIds)
    .execute()
}

/** Makes `connectionId` the one that reports, instead of `previous`; undefined when the instance is forgotten. */
export async function setConnection(
  trx: Trx,
  instanceId: string,
  connectionId: string,
): Promise<{ ref: AgentRef; previous: string | null } | undefined> {
  const { rows } = await sql<{ clusterId: string; previous: string | null }>`
    update agents set connection_id = ${connectionId}, last_seen_at = clock_timestamp()
    from (select connection_id from agents where instance_id = ${instanceId} for update) as before
    where instance_id = ${instanceId}
    returning cluster_id as "clusterId", before.connection_id as previous`.execute(trx)
  const [row] = rows
  return row && { ref: { clusterId: row.clusterId, instanceId }, previous: row.previous }
}

/** The connection that reports for `instanceId` now. */
export async function findConnection(db: Db, instanceId: string): Promise<string | null> {
  const row = await db
    .selectFrom('agents')
    .select('connection_id')
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
  return row?.connection_id ?? null
}

/** Notes that `connectionId` is over; undefined when another connection has taken its place. */
export async function clearConnection(
  trx: Trx,
  connectionId: string,
  instanceId: string,
): Promise<AgentRef | undefined> {
  return await trx
    .updateTable('agents')
    .set({ connection_id: null })
    .where('instance_id', '=', instanceId)
    .where('connection_id', '=', connectionId)
    .returning(['cluster_id as clusterId', 'instance_id as instanceId'])
    .executeTakeFirst()
}

/** Stores what the agent reported over `connectionId`; undefined when that is not its connection any more. */
export async function saveState(
  trx: Trx,
  { instanceId, connectionId }: { instanceId: string; connectionId: string },
  state: AgentState,
  sealedPassword: string | null,
): Promise<AgentRef | undefined> {
  return await trx
    .updateTable('agents')
    .set({
      agent_version: state.agentVersion,
      boot_id: state.bootId,
      port: state.port,
      install: JSON.stringify(state.install satisfies InstallState),
      os_active: state.osActive,
      one_time_password: sealedPassword,
      machine: state.machine ? JSON.stringify(state.machine) : null,
      network: state.network ? JSON.stringify(state.network) : null,
      last_seen_at: sql<Date>`clock_timestamp()`,
    })
    .where('instance_id', '=', instanceId)
    .where('connection_id', '=', connectionId)
    .returning(['cluster_id as clusterId', 'instance_id as instanceId'])
    .executeTakeFirst()
}

/** Notes that these connections live; gives the ids of those that still are their agent's. */
export async function touchConnections(db: Db, connectionIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .updateTable('agents')
    .set({ last_seen_at: sql<Date>`clock_timestamp()` })
    .where('connection_id', 'in', connectionIds)
    .returning('connection_id')
    .execute()
  return rows.flatMap(({ connection_id }) => connection_id ?? [])
}

/** Clears at most `limit` connections that nobody has touched for `silenceMs`; the database's clock decides. */
export async function clearSilentConnections(trx: Trx, silenceMs: number, limit: number): Promise<AgentRef[]> {
  const silent = trx
    .selectFrom('agents')
    .select('instance_id')
    .where('connection_id', 'is not', null)
    .where('last_seen_at', '<', sql<Date>`clock_timestamp() - ${silenceMs} * interval '1 millisecond'`)
    .limit(limit)
    .forUpdate()
    .skipLocked()
  return await trx
    .updateTable('agents')
    .set({ connection_id: null })
    .where('instance_id', 'in', silent)
    .returning(['cluster_id as clusterId', 'instance_id as instanceId'])
    .execute()
}

export async function saveInstallRequest(trx: Trx, request: InstallRequest): Promise<void> {
  await trx
    .updateTable('agents')
    .set({
      task_id: request.taskId,
      task_version: request.version,
      task_steps: JSON.stringify(request.steps),
      task_script: request.script ?? null,
    })
    .where('instance_id', '=', request.instanceId)
    .execute()
}

/** The install that is desired of `instanceId` and that its last report does not name. */
export async function findPendingInstall(db: Db, instanceId: string): Promise<InstallRequest | undefined> {
  const row = await db
    .selectFrom('agents')
    .select(['task_id', 'task_version', 'task_steps', 'task_script'])
    .where('instance_id', '=', instanceId)
    .where('task_id', 'is not', null)
    .where(sql<boolean>`install->>'taskId' is distinct from task_id`)
    .executeTakeFirst()
  if (!row?.task_id || !row.task_version || !row.task_steps) return undefined
  return {
    instanceId,
    taskId: row.task_id,
    version: row.task_version,
    steps: row.task_steps,
    ...(row.task_script !== null && { script: row.task_script }),
  }
}

export async function deleteAgents(trx: Trx, instanceIds: readonly string[]): Promise<void> {
  if (instanceIds.length === 0) return
  await trx.deleteFrom('agents').where('instance_id', 'in', instanceIds).execute()
  await trx.deleteFrom('agent_metrics').where('instance_id', 'in', instanceIds).execute()
  await trx.deleteFrom('agent_traffic_marks').where('instance_id', 'in', instanceIds).execute()
}
