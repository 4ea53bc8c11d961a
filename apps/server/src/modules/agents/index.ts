/** Agents: how they enrol and report, what is known about them, what is wished of them. */
import type { FastifyPluginAsync } from 'fastify'
import type { Route } from '../../http/route.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { Ticker } from '../../platform/ticker.ts'
import { type AgentChannelDeps, agentChannelPlugin } from './agent-channel.ts'
import {
  type AgentRow,
  forgetAgents,
  getMachineAgent,
  listAgents,
  refreshConfig,
  requestDrain,
  requestInstall,
  requestLeave,
  requestRestart,
  requestRotation,
} from './agent-service.ts'
import type { DrainRequest, InstallRequest, RotateRequest } from './agent-store.ts'
import { createEnrolCommands, type EnrolCommands } from './enrol-commands.ts'
import { enrollPlugin } from './enroll-plugin.ts'
import { type EnrolDeps, findProvenInstance, issueEnrollToken } from './enrolment-service.ts'
import { listEnrolled } from './enrolment-store.ts'
import { agentPrune } from './jobs/agent-prune.ts'
import { startSilenceSweep } from './liveness.ts'
import { type MachineAgent, saveWipe } from './machine-store.ts'
import { type LatestMetrics, latestMetrics, listMetrics, type MetricsSeries } from './metrics-store.ts'
import { agentEnrollRoute } from './routes/agent-enroll.ts'
import { type TakenTraffic, takeTraffic } from './traffic-marks.ts'

export type { AgentDescription } from './agent-connection.ts'
export type { AgentRow } from './agent-service.ts'
export type { AgentRef, InstallRequest } from './agent-store.ts'
export { createEnrolCommands, type EnrolCommands, type IssuedCommand } from './enrol-commands.ts'
export type { EnrolDeps } from './enrolment-service.ts'
export { type LatestMetrics, type LatestMetricsTuple, latestMetricsOf, type MetricsSeries } from './metrics-store.ts'

export interface AgentsDeps extends AgentChannelDeps, EnrolDeps {
  config: { enrollUrl: string; dataDir: string }
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
  /** The enrolment token of an instance: the same each time, good for 30 min from the last issue, single-use. */
  issueEnrollToken(trx: Trx, place: { instanceId: string; clusterId: string }): Promise<string>
  /** Commands by which owners bring machines of their own. */
  enrolCommands: EnrolCommands
  /** The instance that `Authorization: Bearer <instanceId>.<agentToken>` proves; undefined when it proves none. */
  proveInstance(db: Db, authorization: string | undefined): Promise<string | undefined>
  /** Those that have an enrolled agent which may stay. */
  listEnrolled(db: Db, instanceIds: readonly string[]): Promise<string[]>
  listAgents(db: Db, instanceIds: readonly string[]): Promise<AgentRow[]>
  requestInstall(trx: Trx, request: InstallRequest): Promise<void>
  requestDrain(trx: Trx, request: DrainRequest): Promise<void>
  requestRotation(trx: Trx, request: RotateRequest): Promise<void>
  refreshConfig(trx: Trx, instanceIds: readonly string[]): Promise<void>
  forgetAgents(trx: Trx, instanceIds: readonly string[]): Promise<void>
  /** Whether a machine's files go with it when it is told to leave. */
  setWipe(trx: Trx, instanceIds: readonly string[], wipe: boolean): Promise<void>
  /** Machines of owners' own, for the driver that stands for them. */
  machines: {
    find(db: Db, instanceId: string): Promise<MachineAgent | undefined>
    requestRestart(db: Db, instanceId: string, bootId: string): Promise<void>
    requestLeave(db: Db, instanceId: string): Promise<void>
  }
  /** Bytes that these agents counted since they were last taken. */
  takeTraffic(trx: Trx, instanceIds: readonly string[]): Promise<TakenTraffic[]>
  latestMetrics(db: Db, instanceIds: readonly string[]): Promise<Map<string, LatestMetrics>>
  listMetrics(db: Db, instanceId: string, range: { from: Date; to: Date; points?: number }): Promise<MetricsSeries>
}

export function createAgents(deps: AgentsDeps): Agents {
  return {
    routes: [agentEnrollRoute(deps)],
    jobs: [agentPrune(deps)],
    plugin: agentChannelPlugin(deps),
    enrollPlugin: enrollPlugin(deps),
    startSweep: () => startSilenceSweep(deps),
    issueEnrollToken: (trx, place) => issueEnrollToken(deps, trx, place),
    enrolCommands: createEnrolCommands({ ...deps, enrollUrl: deps.config.enrollUrl }),
    proveInstance: findProvenInstance,
    listEnrolled,
    listAgents: (db, instanceIds) => listAgents(deps.sealer, db, instanceIds),
    requestInstall,
    requestDrain,
    requestRotation,
    refreshConfig,
    forgetAgents,
    setWipe: saveWipe,
    machines: { find: getMachineAgent, requestRestart, requestLeave },
    takeTraffic,
    latestMetrics,
    listMetrics,
  }
}
