import type { AgentState, InstallState } from '@atoll/contract/agents'
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'
import {
  deleteLeases,
  expireLeases,
  findLease,
  heldBy,
  type Lease,
  leasesOf,
  releaseLease,
  renewLeases,
  takeLease,
} from '../../platform/leases/index.ts'
import { forgetSamples } from '../observe/index.ts'
import type { AgentBackups, AgentsRow } from './agents-tables.ts'
import './agents-tables.ts'

/** The agent that a change is about. */
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
  /** Source of the step `script`; absent without that step. */
  script?: string
}

/** Kind of the lease of an agent's channel: what comes over a connection that does not hold it is not stored. */
const channel = 'agent-channel'

export function channelLease(instanceId: string, connectionId: string): Lease {
  return { kind: channel, name: instanceId, holder: connectionId }
}

/** A channel that nobody has noted for this long is not connected, whatever it says: its api process died. ms */
const silenceLimitMs = 12_000

/** Whether somebody holds the agent's channel and has noted so lately; of `agents` joined to `leases`. */
export const isConnected = sql<boolean>`
  coalesce(leases.renewed_at > clock_timestamp() - ${silenceLimitMs} * interval '1 millisecond', false)`

/** `agents` with the leases of their channels. */
export function agentsWithChannels(db: Db) {
  return db.selectFrom('agents').leftJoin(leasesOf(db, channel).as('leases'), 'leases.name', 'agents.instance_id')
}

/** When an agent last reported: while it is connected, its lease records this. */
export const lastSeen = sql<Date | null>`greatest(agents.last_seen_at, leases.renewed_at)`

/**
 * The rows of the agents of `instanceIds`; an id without one is left out. `is_connected` is by the database's clock.
 */
export async function listAgentRows(
  db: Db,
  instanceIds: readonly string[],
): Promise<(AgentsRow & { is_connected: boolean; seen_at: Date | null })[]> {
  if (instanceIds.length === 0) return []
  return await agentsWithChannels(db)
    .selectAll('agents')
    .select([isConnected.as('is_connected'), lastSeen.as('seen_at')])
    .where('agents.instance_id', 'in', instanceIds)
    .execute()
}

/**
 * Makes `connectionId`, which was opened under the name `host`, the one that reports, instead of `previous`; undefined
 * when it is forgotten or refused.
 */
export async function setConnection(
  trx: Trx,
  { instanceId, connectionId, host }: { instanceId: string; connectionId: string; host: string },
): Promise<{ ref: AgentRef; previous: string | null } | undefined> {
  const lease = channelLease(instanceId, connectionId)
  const previous = await takeLease(trx, lease)
  const row = await trx
    .updateTable('agents')
    .set({ last_seen_at: sql<Date>`clock_timestamp()`, dialed_host: host })
    .where('instance_id', '=', instanceId)
    .where('refused_at', 'is', null)
    .returning('cluster_id as clusterId')
    .executeTakeFirst()
  if (!row) await releaseLease(trx, lease)
  return row && { ref: { clusterId: row.clusterId, instanceId }, previous }
}

/** The connection that reports for `instanceId` now. */
export async function findConnection(db: Db, instanceId: string): Promise<string | undefined> {
  return (await findLease(db, channel, instanceId))?.holder
}

/** Notes that `connectionId` is over; undefined when another connection has taken its place. */
export async function clearConnection(
  trx: Trx,
  connectionId: string,
  instanceId: string,
): Promise<AgentRef | undefined> {
  const renewedAt = await releaseLease(trx, channelLease(instanceId, connectionId))
  return renewedAt && (await saveLastSeen(trx, instanceId, renewedAt))
}

/** Stores the time of its lease's last renewal; undefined if the instance is forgotten. */
async function saveLastSeen(trx: Trx, instanceId: string, at: Date): Promise<AgentRef | undefined> {
  return await trx
    .updateTable('agents')
    .set({ last_seen_at: sql<Date>`greatest(last_seen_at, ${at})` })
    .where('instance_id', '=', instanceId)
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
      workloads: state.workloads ? JSON.stringify(state.workloads) : null,
      hosts: state.hosts ? JSON.stringify(state.hosts) : null,
      backups: backupsOf(state),
      program: state.program ? JSON.stringify(state.program) : null,
      last_seen_at: sql<Date>`clock_timestamp()`,
    })
    .where('instance_id', '=', instanceId)
    .where(heldBy(channelLease(instanceId, connectionId)))
    .returning(['cluster_id as clusterId', 'instance_id as instanceId'])
    .executeTakeFirst()
}

/** The names below its cluster's own host that an agent reports; null: it says none. Only a master's are registered. */
export async function findReportedHosts(db: Db, instanceId: string): Promise<string[] | null> {
  const row = await db.selectFrom('agents').select('hosts').where('instance_id', '=', instanceId).executeTakeFirst()
  return row?.hosts ?? null
}

/** Notes that these connections live; gives the ids of those that still are their agent's. */
export async function touchConnections(db: Db, connectionIds: readonly string[]): Promise<string[]> {
  return await renewLeases(db, channel, connectionIds)
}

/** Clears at most `limit` connections that nobody has touched for `silenceMs`; the database's clock decides. */
export async function clearSilentConnections(trx: Trx, silenceMs: number, limit: number): Promise<AgentRef[]> {
  const refs: AgentRef[] = []
  for (const { name, renewedAt } of await expireLeases(trx, channel, { silentMs: silenceMs, limit })) {
    const ref = await saveLastSeen(trx, name, renewedAt)
    if (ref) refs.push(ref)
  }
  return refs
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
  // Before the rows, as everybody locks them.
  await deleteLeases(trx, channel, instanceIds)
  await trx.deleteFrom('agents').where('instance_id', 'in', instanceIds).execute()
  await forgetSamples(trx, instanceIds)
}

/** Takes the channel's lease from its holder. Call it before locking the agent's row: all code locks in this order. */
export async function endChannel(trx: Trx, instanceId: string): Promise<void> {
  await deleteLeases(trx, channel, [instanceId])
}

/** Undefined: it is forgotten. */
export async function findAgentRef(trx: Trx, instanceId: string): Promise<AgentRef | undefined> {
  return await trx
    .selectFrom('agents')
    .select(['cluster_id as clusterId', 'instance_id as instanceId'])
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
}

/**
 * Refuses the tokens of these agents from now on, or accepts them again; a refusal also deletes the leases of their
 * channels.
 */
export async function saveRefused(trx: Trx, instanceIds: readonly string[], refused: boolean): Promise<void> {
  if (instanceIds.length === 0) return
  if (refused) await deleteLeases(trx, channel, instanceIds)
  await trx
    .updateTable('agents')
    .set({ refused_at: refused ? sql<Date>`clock_timestamp()` : null })
    .where('instance_id', 'in', instanceIds)
    .execute()
}

function backupsOf({ backupKey: key, restic = null, mayReseal = false }: AgentState): string | null {
  return key ? JSON.stringify({ restic, key, mayReseal } satisfies AgentBackups) : null
}

/** For a query: the version of the agent of an instance; null: it has reported none. */
export function agentVersionOf(instanceId: Expression<string>): RawBuilder<string | null> {
  return sql<string | null>`(select agent_version from agents where agents.instance_id = ${instanceId})`
}
