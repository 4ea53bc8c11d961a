/** What the rest of the server asks and wishes of agents. */
import type { InstallState, Machine } from '@atoll/contract/agents'
import type { Sealer } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { notify } from '../../platform/events/index.ts'
import {
  type DrainRequest,
  deleteAgents,
  type InstallRequest,
  listAgentRows,
  type RotateRequest,
  saveDrainRequest,
  saveInstallRequest,
  saveRotateRequest,
} from './agent-store.ts'
import type { AgentNetwork } from './agents-tables.ts'
import { findMachineAgent, type MachineAgent, saveLeave, saveRestartRequest } from './machine-store.ts'

/** Wakes the process that holds the agent's connection; payload `AgentWake`. */
export const agentWakeChannel = 'atoll_agent'
export interface AgentWake {
  instanceId: string
  /**
   * `install`: look for a wish: an install, a drain, a new one-time password, a restart, leaving. `config`: describe
   * it anew. `replaced`: another connection may have taken over. `forgotten`: gone.
   */
  what: 'install' | 'config' | 'replaced' | 'forgotten'
}

/** A row that nobody has touched for this long is not connected, whatever it says: its api process died. ms */
const silenceLimitMs = 12_000

/** What is known about an instance's agent. */
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
  /** The drain it has finished. */
  drainedTask: string | null
  /** The wish that its one-time password came from; null for that of the hand-over. */
  rotatedTask: string | null
  /** The whole machine and the way to it, of an agent that has a machine for itself. */
  machine: Machine | null
  network: AgentNetwork | null
  /** It left for good, as it was told. */
  hasLeft?: boolean
}

/** The agents of `instanceIds`; an id that was never given an enrollment token is left out. */
export async function listAgents(sealer: Sealer, db: Db, instanceIds: readonly string[]): Promise<AgentRow[]> {
  const rows = await listAgentRows(db, instanceIds, silenceLimitMs)
  return rows.map((row) => ({
    instanceId: row.instance_id,
    connected: row.is_connected,
    lastSeenAt: row.last_seen_at,
    bootId: row.boot_id,
    port: row.port,
    install: row.install,
    osActive: row.os_active,
    oneTimePassword: row.one_time_password === null ? null : sealer.open(row.one_time_password),
    drainedTask: row.drained_task,
    rotatedTask: row.rotated_task,
    machine: row.machine,
    network: row.network,
    hasLeft: row.left_at !== null,
  }))
}

/** Wishes an install: offered now if the agent is connected, and on each connect until its report names the task. */
export async function requestInstall(trx: Trx, request: InstallRequest): Promise<void> {
  await saveInstallRequest(trx, request)
  await wakeAgent(trx, { instanceId: request.instanceId, what: 'install' })
}

/**
 * Wishes that the agent finishes what it has begun: asked now if it is connected, and on each connect until it
 * answers.
 */
export async function requestDrain(trx: Trx, request: DrainRequest): Promise<void> {
  await saveDrainRequest(trx, request)
  await wakeAgent(trx, { instanceId: request.instanceId, what: 'install' })
}

/** Wishes a new one-time password: asked now if the agent is connected, and on each connect until it answers. */
export async function requestRotation(trx: Trx, request: RotateRequest): Promise<void> {
  await saveRotateRequest(trx, request)
  await wakeAgent(trx, { instanceId: request.instanceId, what: 'install' })
}

/** Sends the agents of `instanceIds` their description anew: its name or owner changed. */
export async function refreshConfig(trx: Trx, instanceIds: readonly string[]): Promise<void> {
  for (const instanceId of instanceIds) await wakeAgent(trx, { instanceId, what: 'config' })
}

/** Removes all that is known of these agents and ends their connections; unknown ids are success. */
export async function forgetAgents(trx: Trx, instanceIds: readonly string[]): Promise<void> {
  await deleteAgents(trx, instanceIds)
  for (const instanceId of instanceIds) await wakeAgent(trx, { instanceId, what: 'forgotten' })
}

/** The agent of a machine of the owner's own; undefined when the instance never got a token. */
export async function getMachineAgent(db: Db, instanceId: string): Promise<MachineAgent | undefined> {
  return await findMachineAgent(db, instanceId, silenceLimitMs)
}

/** Wishes that the agent starts anew: told now or when it next connects, until another boot than `bootId` reports. */
export async function requestRestart(db: Db, instanceId: string, bootId: string): Promise<void> {
  await saveRestartRequest(db, instanceId, bootId)
  await wakeAgent(db, { instanceId, what: 'install' })
}

/** Tells the agent to leave, now or, should it be away, when it comes back within 30 days. */
export async function requestLeave(db: Db, instanceId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await saveLeave(trx, instanceId)
    await wakeAgent(trx, { instanceId, what: 'install' })
  })
}

export async function wakeAgent(trx: Db | Trx, wake: AgentWake): Promise<void> {
  await notify(trx, agentWakeChannel, wake)
}
