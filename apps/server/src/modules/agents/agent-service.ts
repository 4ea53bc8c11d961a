/** The queries and requests about agents that other modules use. */
import type { AgentProgram, InstallState, Machine } from '@atoll/contract/agents'
import type { MachineCopies, Workload } from '@atoll/contract/clusters'
import type { Sealer } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { notify } from '../../platform/events/index.ts'
import { deleteAgents, type InstallRequest, listAgentRows, saveInstallRequest, saveRefused } from './agent-store.ts'
import type { AgentBackups, AgentNetwork } from './agents-tables.ts'
import { readBoots } from './boots/boots.ts'
import { copiesOf } from './boots/copies-of.ts'

/** Wakes the process that holds the agent's connection; payload `AgentWake`. */
export const agentWakeChannel = 'atoll_agent'
export interface AgentWake {
  instanceId: string
  /**
   * `install`, `tasks`: read the desired state again. `config`: send its description again. `replaced`: another
   * connection may have taken over, or the agent is refused. `forgotten`: the instance is gone.
   */
  what: 'install' | 'tasks' | 'config' | 'replaced' | 'forgotten'
}

/** The known state of an instance's agent. */
export interface AgentRow {
  instanceId: string
  connected: boolean
  lastSeenAt: Date | null
  /** New each time the agent process starts; null before its first report. */
  bootId: string | null
  port: number | null
  install: InstallState
  osActive: boolean
  /** From hand-over to activation, and while the owner's password is being reset. */
  oneTimePassword: string | null
  /** The whole machine and its endpoint, of an agent that has a machine for itself. */
  machine: Machine | null
  network: AgentNetwork | null
  /** Null: it is too old to make backups, or has not reported yet. */
  backups: AgentBackups | null
  /** The workloads on it; null: its version cannot report them, or it has not reported yet. */
  workloads: Workload[] | null
  /** Copies of its disk that were noticed; null: none. */
  copies: MachineCopies | null
  /** Of its program; null before its first report. */
  version: string | null
  /** Null: it cannot update itself. */
  program: AgentProgram | null
}

/** The agents of `instanceIds`; an id that was never given an enrollment token is left out. */
export async function listAgents(sealer: Sealer, db: Db, instanceIds: readonly string[]): Promise<AgentRow[]> {
  const rows = await listAgentRows(db, instanceIds)
  return rows.map((row) => ({
    instanceId: row.instance_id,
    connected: row.is_connected,
    lastSeenAt: row.seen_at,
    bootId: row.boot_id,
    port: row.port,
    install: row.install,
    osActive: row.os_active,
    oneTimePassword:
      row.one_time_password === null ? null : sealer.open("instance's first password", row.one_time_password),
    machine: row.machine,
    network: row.network,
    backups: row.backups,
    workloads: row.workloads,
    copies: copiesOf(readBoots(row.boots)),
    version: row.agent_version,
    program: row.program,
  }))
}

/** Desires an install: offered now if the agent is connected, and on each connect until its report names the task. */
export async function requestInstall(trx: Trx, request: InstallRequest): Promise<void> {
  await saveInstallRequest(trx, request)
  await wakeAgent(trx, { instanceId: request.instanceId, what: 'install' })
}

/** Sends the agents of `instanceIds` their description again, because its name or owner changed. */
export async function refreshConfig(trx: Trx, instanceIds: readonly string[]): Promise<void> {
  for (const instanceId of instanceIds) await wakeAgent(trx, { instanceId, what: 'config' })
}

/** Removes all that is known of these agents and ends their connections; unknown ids are success. */
export async function forgetAgents(trx: Trx, instanceIds: readonly string[]): Promise<void> {
  await deleteAgents(trx, instanceIds)
  for (const instanceId of instanceIds) await wakeAgent(trx, { instanceId, what: 'forgotten' })
}

/**
 * Refuses these agents from now on, and ends their connections; all that is known of them stays. One that is asked to
 * leave hears that still. Unknown ids are success.
 */
export async function refuseAgents(trx: Trx, instanceIds: readonly string[]): Promise<void> {
  await saveRefused(trx, instanceIds, true)
  for (const instanceId of instanceIds) await wakeAgent(trx, { instanceId, what: 'replaced' })
}

/** Lets agents that were refused in again, when they next come. */
export async function admitAgents(trx: Trx, instanceIds: readonly string[]): Promise<void> {
  await saveRefused(trx, instanceIds, false)
}

export async function wakeAgent(trx: Db | Trx, wake: AgentWake): Promise<void> {
  await notify(trx, agentWakeChannel, wake)
}
