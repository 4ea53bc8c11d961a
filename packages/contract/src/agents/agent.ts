/**
 * Messages between agent and control plane. The agent enrolls once (`agentEnroll`) and then keeps one WebSocket open at
 * `agentChannelPath`, sending `Authorization: Bearer <instanceId>.<agentToken>`. Every report is a full snapshot of its
 * subject, so repeating or losing one changes nothing.
 */
import { z } from 'zod'
import { InstallLog } from '../clusters/install-log.ts'
import { NetworkState } from '../clusters/self-host.ts'
import { Workloads } from '../clusters/workloads.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, InstanceId, Millis } from '../wire/fields.ts'
import { TaskId, TaskParams, TaskProgress, TaskReport, taskLanes, tasksPerLane } from './agent-tasks.ts'
import { AgentProgram } from './agent-updates.ts'
import { BackupKey, ResticVersion } from './backup-tasks.ts'
import { RegisteredHosts } from './registered-hosts.ts'

export const agentProtocol = 1
/** The step that runs the operator's own script. */
export const scriptStep = 'script'
/** The step that waits until a snapshot has become the drive (task `backup.restore`, way `newCluster`). */
export const restoreStep = 'restore'
/** Longest script, bytes of UTF-8. */
export const installScriptLimit = 64 * 1024
export const agentChannelPath = '/v1/agent/channel'
/** A report is sent at least this often; an agent silent for three of these is not connected. ms */
export const agentReportIntervalMs = 5000
/**
 * Where an agent dials the edge: an HTTP/1.1 upgrade to `relayProtocol` with the channel's `Authorization`. After the
 * 101 the two speak HTTP/2 with the roles turned round: the edge is its client, the agent its server (ADR 0011).
 */
export const agentRelayPath = '/v1/agent/relay'
export const relayProtocol = 'atoll-relay'
/** The agent pings this often, ms. */
export const relayPingMs = 2500
/** A side that received nothing for this long takes the connection for dead: with the dial, less than 10 s. ms */
export const relaySilentMs = 6000
/**
 * Bytes of one visitor's connection that may be under way: 40 Mbit/s at 100 ms, and the memory that a stalled
 * connection costs.
 */
export const relayStreamWindow = 512 * 1024

/**
 * The agent makes its own 256-bit token, keeps it, and sends only its SHA-256: asking again after a crash with the
 * same hash succeeds, and the enrollment token is spent for anyone else.
 */
export const agentEnroll = defineCall({
  name: 'agentEnroll',
  path: '/v1/agent/enroll',
  reach: 'anyone',
  rate: 'signIn',
  summary: 'An agent trades its single-use token for its place in a cluster.',
  body: z.strictObject({ enrollToken: z.string().min(20).max(200), tokenHash: z.string().regex(/^[0-9a-f]{64}$/) }),
  data: z.object({ clusterId: ClusterId, instanceId: InstanceId }),
})

/** The largest exact whole number; a figure beyond it is no measurement. */
const Bytes = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER)

export const AgentMetrics = z.object({
  /** By the agent's clock, which may be wrong: what counts is when it arrives. */
  at: Millis,
  /** 0..1 of the instance's cores; an agent that counts the whole machine may say more, which is taken as 1. */
  cpu: z.number().min(0).max(10_000),
  memoryUsed: Bytes,
  memoryTotal: Bytes,
  diskUsed: Bytes,
  diskTotal: Bytes,
  /** Bytes since the agent started. */
  netIn: Bytes,
  netOut: Bytes,
})
export type AgentMetrics = z.infer<typeof AgentMetrics>

/** Where install stands: `done` only when every step is done; `failed` carries the reason. */
export const InstallState = z.object({
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** The task that asked for it; null before any. */
  taskId: z.string().max(64).nullable(),
  reason: z.string().max(500).nullable(),
  steps: InstallLog,
})
export type InstallState = z.infer<typeof InstallState>

/** The whole machine, as an agent finds it that is not a share of one. */
export const Machine = z.object({
  hostname: z.string().max(253),
  cpuCoreCount: z.int().min(1).max(65536),
  memoryMiB: z.int().min(1),
  diskMiB: z.int().min(1),
  /** Its address on the way to the control plane; behind NAT a private one. */
  address: z.string().max(64).nullable(),
})
export type Machine = z.infer<typeof Machine>

/** Agent → server. `state` is the whole truth about the agent and is sent on connect and on every change. */
export const AgentMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('state'),
    protocol: z.literal(agentProtocol),
    agentVersion: z.string().max(40),
    /** New each time the agent process starts. */
    bootId: z.string().max(64),
    /** Port of the personal server on the instance. */
    port: z.int().min(1).max(65535),
    install: InstallState,
    osActive: z.boolean(),
    /** Present from hand-over to activation, and again from `rotate` until the owner has set a new password. */
    oneTimePassword: z.string().max(64).nullable(),
    /** The tasks it holds. */
    tasks: z.array(TaskReport).max(taskLanes.length * tasksPerLane),
    /** The cluster it enrolled into: an agent that names another one than its connection proves is not believed. */
    clusterId: ClusterId.optional(),
    /** The restic that it runs for backups; null: it found none. Absent from an agent that makes no backups. */
    restic: ResticVersion.nullable().optional(),
    /** For what passwords of backups are sealed; made once, and kept. Absent from an agent that makes no backups. */
    backupKey: BackupKey.optional(),
    /**
     * It seals passwords that it keeps for another machine: `backup.reseal`. Not on a machine of the owner's own, whose
     * password would reach one of the operator's. Absent from an older agent.
     */
    mayReseal: z.boolean().optional(),
    /** Of an agent that can update itself. */
    program: AgentProgram.optional(),
    /** Of an agent that has the machine for itself. */
    machine: Machine.optional(),
    /**
     * Services that run on the instance, its own and those that an operator's script reports. Absent from an older
     * agent.
     */
    workloads: Workloads.optional(),
    /** Names below its own host that are to have certificates. Absent from an older agent: none. */
    hosts: RegisteredHosts.optional(),
    /** How visitors get through to it, where that is the agent's business; `port`: that of `direct`. */
    network: NetworkState.extend({ port: z.int().min(1).max(65535).nullable() }).optional(),
  }),
  /** How far a running task is: at most one in `taskProgressMs` a task, and what is lost is not sent again. */
  z.object({ type: z.literal('progress'), taskId: TaskId, progress: TaskProgress }),
  /** It left, as it was asked: nothing of it is left to call. */
  z.object({ type: z.literal('left') }),
  z.object({ type: z.literal('metrics'), metrics: AgentMetrics }),
])
export type AgentMessage = z.infer<typeof AgentMessage>
export type AgentState = Extract<AgentMessage, { type: 'state' }>

/** The ingress of a host. Absent: somebody else takes care of it. */
export const ProxyConfig = z.discriminatedUnion('kind', [
  /** Visitors come to the host itself: it listens on all its addresses. */
  z.object({ kind: z.literal('direct') }),
  /** Through our edge, over a connection that the agent dials to `url`. */
  z.object({ kind: z.literal('relay'), url: z.string() }),
  /** Through the operator's frps; `token` is this instance's own towards its server plugin, `authToken` frps's. */
  z.object({
    kind: z.literal('frp'),
    serverAddr: z.string(),
    serverPort: z.int(),
    authToken: z.string().optional(),
    subdomain: z.string(),
    token: z.string(),
  }),
  z.object({ kind: z.literal('cloudflare'), tunnelToken: z.string(), hostname: z.string() }),
])
export type ProxyConfig = z.infer<typeof ProxyConfig>

/**
 * Server → agent. `config` is sent on connect and when it changes; `install` until the agent's state names its task;
 * `beat` every `agentReportIntervalMs`, by which the agent knows that the connection lives. Others are ignored.
 * Tasks (`agent-tasks.ts`): `task` until the state names it, `cancel` until the state names its end, `taskSeen` until
 * the state no longer names it; each on connect, when something changed, and at the beat.
 */
export const AgentCommand = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('config'),
    clusterId: ClusterId,
    instanceId: InstanceId,
    clusterName: z.string(),
    owner: z.object({ did: z.string(), terminusName: z.string() }),
    /** Public address of the personal server, as visitors reach it. */
    publicUrl: z.string(),
    product: z.string(),
    /** This deployment's web wallet, offered by the activation wizard; absent: only the code is shown. */
    walletUrl: z.string().optional(),
    /** The page of this cluster in the console; absent from a control plane that is older. */
    consoleUrl: z.url({ protocol: /^https?$/ }).optional(),
    /** Where the agent reaches the control plane from now on, the best first; absent: where it was started with. */
    controlUrls: z
      .array(z.url({ protocol: /^https?$/ }))
      .max(4)
      .optional(),
    proxy: ProxyConfig.optional(),
    /** The owner's plan has no room left: the drive takes no new files. Absent: it takes them. */
    storageStopped: z.boolean().optional(),
    /** Server's clock, ms. */
    now: Millis,
  }),
  z.object({
    type: z.literal('install'),
    taskId: z.string().max(64),
    version: z.string(),
    /** Steps in order, from the catalogue's version. */
    steps: z.array(z.string().max(40)).min(1).max(40),
    /** The script that the step `scriptStep` runs; absent from a version without that step. */
    script: z.string().max(installScriptLimit).optional(),
  }),
  z.object({ type: z.literal('task'), taskId: TaskId, kind: z.string().min(1).max(40), params: TaskParams }),
  z.object({ type: z.literal('cancel'), taskId: TaskId }),
  /** The end of the task is recorded: the agent may forget it. */
  z.object({ type: z.literal('taskSeen'), taskId: TaskId }),
  z.object({ type: z.literal('beat') }),
])
export type AgentCommand = z.infer<typeof AgentCommand>

/** Largest WebSocket message either side accepts, bytes. */
export const agentMessageLimit = 4 * 1024 * 1024
