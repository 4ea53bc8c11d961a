import type { OperationKind } from '@atoll/contract/clusters'
import type { networkProducts } from '@atoll/contract/wire'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Log } from '../../platform/log.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Agents, EnrollCommands } from '../agents/index.ts'
import type { Billing } from '../billing/index.ts'
import type { LiveCatalog } from '../catalog/index.ts'
import type { Compute } from '../compute/index.ts'
import type { Observe } from '../observe/index.ts'
import type { Frps } from '../relay/index.ts'

/** What this module takes from the agents module. */
export type ClusterAgents = Pick<
  Agents,
  | 'issueEnrollToken'
  | 'requestInstall'
  | 'setWipe'
  | 'requestTask'
  | 'listTasks'
  | 'refreshConfig'
  | 'listAgents'
  | 'forgetAgents'
>

export interface ClusterConfig {
  product: string
  /** Name of the wallet app, for refusals. */
  walletName: string
  /** Domain under which clusters answer, such as `atoll.localhost`. */
  edgeDomain: string
  /** Where instances reach the control plane. */
  controlUrl: string
  /** This deployment's web wallet, without a trailing slash. */
  walletUrl: string
  /** Public address of the cluster with this host label. */
  clusterUrl(label: string): string
  /** Where hosts dial the edge. */
  relayUrl: string
  /** How long an instance that no row names is kept, stopped, before it is destroyed, ms. */
  strayMs: number
  /** The operator's frps, which then carries instead of our relay. */
  frps: Frps | undefined
  /** Self-hosted clusters that an account may have at a time. */
  selfHostClusters: number
}

/** Bytes of one cluster by one network product (spec §3). */
export interface TunnelBytes {
  clusterId: string
  kind: (typeof networkProducts)[number]
  in: number
  out: number
}

export interface ClusterDeps {
  db: Db
  clock: Clock
  log: Log
  config: ClusterConfig
  compute: Compute
  agents: ClusterAgents
  observe: Pick<Observe, 'samples' | 'takeTraffic'>
  enrollCommands: EnrollCommands
  sealer: Pick<Sealer, 'seal' | 'open' | 'derive'>
  accounts: Pick<Accounts, 'getUser' | 'lockLimits' | 'getLimits'>
  /** What is sold, in the transaction that orders it. */
  billing: Pick<
    Billing,
    | 'getCustomerInfo'
    | 'getPlanPeriod'
    | 'clusterParts'
    | 'notices'
    | 'order'
    | 'sell'
    | 'outcome'
    | 'awaitOrder'
    | 'standings'
    | 'findUnpaidInvoice'
    | 'findSubscribed'
    | 'lapse'
    | 'wasCanceled'
    | 'refund'
    | 'endInstances'
    | 'moveItem'
  >
  /** Adds bytes that others than the edge carried. */
  addTraffic(trx: Trx, at: Date, bytes: readonly TunnelBytes[]): Promise<void>
  /** How long each kind of operation may take, ms; replaces single defaults. */
  deadlines?: Partial<Deadlines>
}

/** What the part of this module needs that agents are given. */
export interface IntakeDeps {
  db: Db
  clock: Clock
  config: ClusterConfig
  sealer: Pick<Sealer, 'seal' | 'open' | 'derive'>
  catalog: Pick<LiveCatalog, 'current'>
  deadlines?: Partial<Deadlines>
}

/** ms from the start of an operation to the moment it is given up. */
export type Deadlines = Record<OperationKind, number>

/** Generous against what each takes when all is well (seconds), short against a person's patience. */
const defaultDeadlines: Deadlines = {
  create: 15 * 60_000,
  start: 3 * 60_000,
  stop: 2 * 60_000,
  restart: 4 * 60_000,
  destroy: 5 * 60_000,
  retry: 15 * 60_000,
  addWorker: 15 * 60_000,
  destroyWorker: 5 * 60_000,
  repair: 15 * 60_000,
  cancel: 5 * 60_000,
  recover: 3 * 60_000,
}

/** How long an agent that drains is waited for, ms. */
export const drainMs = 60_000
/** What the agent itself is given: somewhat less, so that its answer is in time. ms */
export const drainWithinMs = 50_000

/** How long an operation of this kind may take, ms. */
export function deadlineMs({ deadlines }: Pick<ClusterDeps, 'deadlines'>, kind: OperationKind): number {
  return deadlines?.[kind] ?? defaultDeadlines[kind]
}
