/** Agents: how they enroll and report, what is known about them, what is desired of them. */
import type { IncomingHttpHeaders } from 'node:http'
import type { TaskKind } from '@atoll/contract/agents'
import type { FastifyPluginAsync } from 'fastify'
import type { z } from 'zod'
import type { Route } from '../../http/route.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { Ticker } from '../../platform/ticker.ts'
import {
  type AgentRow,
  admitAgents,
  forgetAgents,
  listAgents,
  refreshConfig,
  refuseAgents,
  requestInstall,
} from './agent-service.ts'
import type { AgentRef, InstallRequest } from './agent-store.ts'
import { type AgentChannelDeps, agentChannelPlugin } from './channel/agent-channel.ts'
import { startSilenceSweep } from './channel/liveness.ts'
import { chooseMachine, type Met, meetDial } from './channel/meet-dial.ts'
import { createEnrollCommands, type EnrollCommands } from './enroll/enroll-commands.ts'
import { enrollPlugin } from './enroll/enroll-plugin.ts'
import { type EnrollDeps, findProvenInstance, issueEnrollToken } from './enroll/enrollment-service.ts'
import { listEnrolled } from './enroll/enrollment-store.ts'
import { requestLeave, requestRestart } from './hosts/host-service.ts'
import { findHostAgent, saveWipe } from './hosts/host-store.ts'
import { agentPrune } from './jobs/agent-prune.ts'
import { agentEnrollRoute } from './routes/agent-enroll.ts'
import type { AgentTask } from './task-protocol.ts'
import { openParams } from './tasks/sealed-params.ts'
import { cancelTask, cancelUnsent, requestTask, type TaskRequest } from './tasks/task-service.ts'
import { listOpenOfKind, listTasks } from './tasks/task-store.ts'

export { listPrograms, type RunningProgram } from './agent-programs.ts'
export { type AgentRow, refreshConfig } from './agent-service.ts'
export { type AgentRef, agentVersionOf, findReportedHosts, type InstallRequest } from './agent-store.ts'
export type { AgentDescription } from './channel/agent-connection.ts'
export { isChannelServed } from './channel/channel-lease.ts'
export type { Met, Proof } from './channel/meet-dial.ts'
export { countAgents, countDialed, type DialedHost } from './count-agents.ts'
export { createEnrollCommands, type EnrollCommands, type IssuedCommand } from './enroll/enroll-commands.ts'
export type { EnrollDeps, MakeAgent } from './enroll/enrollment-service.ts'
export { agentKeyMoves, countLastSeen } from './key-moves.ts'
export { type OfferedAgent, readOfferedAgent } from './offered-agent.ts'
export type { AgentTask } from './task-protocol.ts'

/** The module that owns the instances that agents run in; created before agents, and calls none of them. */
export interface InstanceOwner extends Pick<EnrollDeps, 'admitWorker' | 'replaceMaster'> {
  /** Told of every report, connect and disconnect of an agent, in the transaction that stores it. */
  onAgentChange(trx: Trx, ref: AgentRef, agent: AgentRow): Promise<void>
  /** Told of every change of a task, in the transaction that records it. */
  onTaskChange: AgentChannelDeps['onTaskChange']
  describeInstance: AgentChannelDeps['describeInstance']
}

export interface AgentsDeps
  extends Omit<AgentChannelDeps, keyof InstanceOwner>,
    Omit<EnrollDeps, 'admitWorker' | 'replaceMaster'> {
  owner: InstanceOwner
  config: { enrollUrl: string; dataDir: string; resticProgram?: string | undefined }
}

export interface Agents {
  routes: Route[]
  jobs: Job[]
  /** The agents' WebSocket, for an api process. */
  plugin: FastifyPluginAsync
  /** `enroll.sh` and what it fetches, for an api process. */
  enrollPlugin: FastifyPluginAsync
  /** Finds agents whose api process died; the plugin does it too, a process without it may. */
  startSweep(): Ticker
  /** The enrollment token of an instance: the same each time, good for 30 min from the last issue, single-use. */
  issueEnrollToken(trx: Trx, place: { instanceId: string; clusterId: string }): Promise<string>
  /** Commands by which owners bring hosts of their own. */
  enrollCommands: EnrollCommands
  /** The instance that `Authorization: Bearer <instanceId>.<agentToken>` proves; undefined when it proves none. */
  proveInstance(db: Db, authorization: string | undefined): Promise<string | undefined>
  /** Identifies an agent that dials an edge, and decides whether its boot may serve. */
  meetDial(headers: IncomingHttpHeaders): Promise<Met>
  /** The owner says which boot of an instance goes on; false where nobody knows it. */
  chooseMachine(trx: Trx, chosen: { instanceId: string; bootId: string }): Promise<boolean>
  /** Those that have an enrolled agent which may stay. */
  listEnrolled(db: Db, instanceIds: readonly string[]): Promise<string[]>
  listAgents(db: Db, instanceIds: readonly string[]): Promise<AgentRow[]>
  requestInstall(trx: Trx, request: InstallRequest): Promise<void>
  /** Asks an agent for a task; what becomes of it is passed to `onTaskChange`. Answers the id of the open task. */
  requestTask<Params extends z.ZodType>(
    trx: Db | Trx,
    kind: TaskKind<Params>,
    request: TaskRequest<z.input<Params>>,
  ): Promise<string | undefined>
  /** Asks that a task ends; undefined when it had ended before. */
  cancelTask: typeof cancelTask
  /** Ends a task that was never sent to its agent; undefined where it was sent, or has ended. */
  cancelUnsent: typeof cancelUnsent
  /** Those of `taskIds` that exist. Parameters that are secret stay sealed, and are gone after the end. */
  listTasks(db: Db, taskIds: readonly string[]): Promise<AgentTask[]>
  /** The parameters of a task, opened; none after its end where they were secret. */
  readParams(db: Db, taskId: string): Promise<AgentTask['params'] | undefined>
  /** Those of one kind that an agent was asked for and that have not ended. */
  listOpenTasks: typeof listOpenOfKind
  refreshConfig(trx: Trx, instanceIds: readonly string[]): Promise<void>
  forgetAgents(trx: Trx, instanceIds: readonly string[]): Promise<void>
  refuseAgents(trx: Trx, instanceIds: readonly string[]): Promise<void>
  admitAgents(trx: Trx, instanceIds: readonly string[]): Promise<void>
  /** Whether a host's files go when it is asked to leave. */
  setWipe(trx: Trx, instanceIds: readonly string[], wipe: boolean): Promise<void>
  /** Hosts, for the driver that stands for them. */
  hosts: {
    find: typeof findHostAgent
    requestRestart(db: Db, instanceId: string, bootId: string): Promise<void>
    requestLeave(db: Db, instanceId: string): Promise<void>
  }
}

export function createAgents({ owner, ...rest }: AgentsDeps): Agents {
  const deps = {
    ...rest,
    ...owner,
    async onAgentChange(trx: Trx, ref: AgentRef) {
      const [agent] = await listAgents(rest.sealer, trx, [ref.instanceId])
      if (agent) await owner.onAgentChange(trx, ref, agent)
    },
  }
  return {
    routes: [agentEnrollRoute(deps)],
    jobs: [agentPrune(deps)],
    plugin: agentChannelPlugin(deps),
    enrollPlugin: enrollPlugin(deps),
    startSweep: () => startSilenceSweep(deps),
    issueEnrollToken: (trx, place) => issueEnrollToken(deps, trx, place),
    enrollCommands: createEnrollCommands({ ...deps, enrollUrl: deps.config.enrollUrl }),
    proveInstance: findProvenInstance,
    meetDial: (headers) => meetDial(deps, headers),
    chooseMachine: (trx, chosen) => chooseMachine(trx, deps.clock, chosen),
    listEnrolled,
    listAgents: (db, instanceIds) => listAgents(deps.sealer, db, instanceIds),
    requestInstall,
    requestTask: (trx, kind, request) => requestTask(deps.sealer, trx, kind, request),
    cancelTask,
    cancelUnsent,
    listTasks,
    async readParams(db, taskId) {
      const [task] = await listTasks(db, [taskId])
      return task && openParams(deps.sealer, task).params
    },
    listOpenTasks: listOpenOfKind,
    refreshConfig,
    forgetAgents,
    refuseAgents,
    admitAgents,
    setWipe: saveWipe,
    hosts: {
      find: findHostAgent,
      requestRestart: (db, ...rest) => requestRestart(deps.sealer, db, ...rest),
      requestLeave: (db, instanceId) => requestLeave(deps.sealer, db, instanceId),
    },
  }
}
