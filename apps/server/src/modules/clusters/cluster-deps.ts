import type { Reason } from '@atoll/contract/api'
import type { ClusterStatus, OperationKind } from '@atoll/contract/clusters'
import type { networkProducts } from '@atoll/contract/wire'
import type { Caller } from '../../platform/caller.ts'
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

/** The part of the agents module that this module uses. */
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
  | 'refuseAgents'
  | 'admitAgents'
  | 'chooseMachine'
>

export interface ClusterConfig {
  product: string
  /** Name of the wallet app, for refusals. */
  walletName: string
  /** Domain under which clusters answer, such as `atoll.localhost`. */
  edgeDomain: string
  /** Where instances reach the control plane. */
  controlUrl: string
  /** Where machines of owners reach it. */
  enrollUrl: string
  /** This deployment's web wallet, without a trailing slash. */
  walletUrl: string
  /** The console's address, without a trailing slash. */
  publicUrl: string
  /** Public address of the cluster with this host label. */
  clusterUrl(label: string): string
  /** Public address of this host of a customer's domain. */
  customUrl(host: string): string
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

/** The restore that a cluster is made for, as far as a cluster follows from it. */
export interface MadeForRestore {
  id: string
  /** `refused`: waits for another password. */
  state: 'open' | 'refused' | 'done' | 'failed'
  /** Of `refused` and `failed`. */
  reason: Reason | null
}

/** A backup that becomes the drive of a cluster. */
export interface AskedRestore {
  clusterId: string
  backupId: string
  /** Left out: the newest that was completed. */
  snapshotId?: string | undefined
}

/** By whom something is asked, with the session where it is asked now. */
export type Asker = Pick<Caller, 'userid'> & { [Part in 'sessionId' | 'ip']: string | null }

/**
 * The part of backups that this module uses: clusters that are created from a snapshot. Changing a restore locks its
 * backup, so it is done before agents are locked, as the reconciler of backups does.
 */
export interface ClusterRestores {
  /**
   * Of a cluster whose row was written; gives its id. Refuses what is not the owner's, cannot be restored, or what a
   * cluster of the same backup that is active is at odds with.
   */
  begin(
    trx: Trx,
    by: Asker,
    asked: AskedRestore & {
      /** The size ordered; left out for a host, whose agent checks whether there is room. */
      offering?: { name: string; diskMiB: number }
    },
  ): Promise<string>
  /** Refuses what `begin` would. */
  check(trx: Trx, asked: AskedRestore & { owner: string }): Promise<void>
  /** The same once more where it has ended; gives the id of the one that is open now. */
  again(trx: Trx, id: string): Promise<string>
  /** Ends the one that is open on a cluster, where there is one: its machine is gone and an empty one comes. */
  end(trx: Trx, of: { owner: string; clusterId: string }): Promise<void>
  list(db: Db, ids: readonly string[]): Promise<MadeForRestore[]>
  /** Clusters that cannot be active beside this one: it was made of their backup, they of its, or both of one. */
  listKin(db: Db, of: { owner: string; clusterId: string }): Promise<string[]>
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
  sealer: Sealer
  accounts: Pick<Accounts, 'getUser' | 'lockLimits' | 'getLimits'>
  /** Sells instances, in the transaction that orders them. */
  billing: Pick<
    Billing,
    | 'getCustomerInfo'
    | 'getPlanPeriod'
    | 'clusterParts'
    | 'notices'
    | 'sell'
    | 'outcome'
    | 'awaitOrder'
    | 'standings'
    | 'findUnpaidInvoice'
    | 'findOrderInvoice'
    | 'findSubscribed'
    | 'lapse'
    | 'wasCanceled'
    | 'refund'
    | 'endInstances'
    | 'moveItem'
  >
  /** Hosts under customers' domains (modules/domains). */
  customHosts: {
    /** `host`: lower case, without a port. */
    find(db: Db, host: string): Promise<{ clusterId: string; clusterHost: string; domainId: string } | undefined>
    /** Of each of these clusters the host that leads to it now. */
    list(db: Db, clusterIds: readonly string[]): Promise<ReadonlyMap<string, string>>
    /** In the transaction that made a cluster of `owner`. */
    give(trx: Trx, owner: string): Promise<void>
  }
  restores: ClusterRestores
  /** An Admin opened the cluster of another. */
  onOpened(opened: { caller: Caller; owner: string }): Promise<void>
  /** Adds bytes that others than the edge carried. */
  addTraffic(trx: Trx, at: Date, bytes: readonly TunnelBytes[]): Promise<void>
  /** How long each kind of operation may take, ms; replaces single defaults. */
  deadlines?: Partial<Deadlines>
}

/** The dependencies of the intake, the part of this module that is passed to agents. */
export interface IntakeDeps {
  db: Db
  clock: Clock
  config: ClusterConfig
  sealer: Sealer
  catalog: Pick<LiveCatalog, 'current'>
  restores: Pick<ClusterRestores, 'begin' | 'end'>
  /** Whether the plan of an account has no room left on its drives. */
  isStorageStopped(db: Db, owner: string): Promise<boolean>
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
  replaceMachine: 15 * 60_000,
  cancel: 5 * 60_000,
  recover: 3 * 60_000,
}

/** How long an agent that drains is waited for, ms. */
export const drainMs = 60_000
/** The time limit sent to the agent: shorter than `drainMs`, so that its answer arrives in time. ms */
export const drainWithinMs = 50_000

/** A restore waits for its password, and may be large. ms */
const restoreDeadlineMs = 24 * 3600_000

/** How long an operation of this kind may take from now on, when it has come to `status`, ms. */
export function deadlineMs(
  { deadlines }: Pick<ClusterDeps, 'deadlines'>,
  kind: OperationKind,
  status?: ClusterStatus,
): number {
  return status === 'restoring' ? restoreDeadlineMs : (deadlines?.[kind] ?? defaultDeadlines[kind])
}
