/** Clusters on a real database with a provider and agents of the test's choice. */

import { randomBytes } from 'node:crypto'
import type { Role } from '@atoll/contract/wire'
import { createScriptedWallet, createTestDatabase } from '@atoll/testkit'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import type { Pool } from 'pg'
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { systemClock } from '../../../platform/clock.ts'
import { createSealer } from '../../../platform/crypto.ts'
import { createDatabase, type Db, type Tables, type Trx } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import type { OperationRow } from '../../../platform/operations/index.ts'
import { createAccounts } from '../../accounts/index.ts'
import { makeAccount } from '../../accounts/testing/make-account.ts'
import { type AgentRef, createEnrollCommands } from '../../agents/index.ts'
import { createBilling, isUsageStopped } from '../../billing/index.ts'
import { idleCuts, idleMeters } from '../../billing/testing/billing-harness.ts'
import { sandboxCharging } from '../../billing/testing/sandbox-charging.ts'
import { parseCatalog } from '../../catalog/index.ts'
import type { ComputeProvider } from '../../compute/index.ts'
import { listHostsOf } from '../../domains/index.ts'
import { createIdentity } from '../../identity/index.ts'
import { createObserve } from '../../observe/index.ts'
import { listCards } from '../../payments/index.ts'
import type { ClusterAgents, ClusterDeps, ClusterRestores } from '../cluster-deps.ts'
import {
  createClusters,
  createIntake,
  findOwnCluster,
  listClusterOwners,
  listOwnInstances,
  wakeCluster,
} from '../index.ts'
import { isTransitioning } from '../lifecycle/cluster-state.ts'
import { clusterReconcile } from '../reconcile/job.ts'
import type { ClusterRow, InstanceRow } from '../tables.ts'

/** One cloud with one region; `big` uses the whole default quota. */
export const testCatalog = parseCatalog(
  `
clouds:
  - cloudName: local
    driver: process
    title: This instance
    regions: [{ regionId: here, title: Here, place: Here }, { regionId: there, title: There, place: There }]
    offerings:
      - { name: small, title: Small, cpuCoreCount: 2, memoryMiB: 512, diskMiB: 1024, price: { amount: 0, currency: usd } }
      - { name: bay, title: Bay, cpuCoreCount: 2, memoryMiB: 512, diskMiB: 1024, price: { usd: 1440, cny: 9900 } }
      - { name: big, title: Big, cpuCoreCount: 16, memoryMiB: 512, diskMiB: 1024, price: { amount: 0, currency: usd }, soldOutIn: [there] }
versions:
  - { version: 1.0.0, title: One, summary: One, image: agent, steps: [prepare, handover] }
`,
  'test-catalog.yaml',
)

export const testOrder = {
  clusterType: 'Cloud',
  cloudName: 'local',
  regionId: 'here',
  offering: 'small',
  version: '1.0.0',
} as const

const noRestores: ClusterRestores = {
  begin: () => Promise.reject(new Error('This world has no backups')),
  check: () => Promise.reject(new Error('This world has no backups')),
  again: () => Promise.reject(new Error('This world has no backups')),
  end: async () => undefined,
  list: async () => [],
  listKin: async () => [],
}

const jobContext = () => ({ log: silentLog, signal: new AbortController().signal, attempt: 1 })

export interface HarnessOptions {
  databaseUrl: string
  provider: ComputeProvider
  agents: ClusterAgents
  clock?: Clock
  deadlines?: ClusterDeps['deadlines']
  /** Left out: nothing is made for a backup. */
  restores?: ClusterRestores
  /** Changes what takes the module's statements to the database. */
  wrapPool?: (pool: Pool) => PostgresPool
  /** Connections at most; default 10. */
  poolSize?: number
}

/** The module as composition builds it; used by tests and by the processes they kill. */
export function buildClusters(options: HarnessOptions) {
  const { databaseUrl, provider, agents, clock = systemClock, deadlines } = options
  const database = createDatabase({ connectionString: databaseUrl }, { max: options.poolSize ?? 10 })
  const { wrapPool } = options
  const db: Db = wrapPool
    ? new Kysely<Tables>({ dialect: new PostgresDialect({ pool: wrapPool(database.pool) }) })
    : database.db
  const identity = createIdentity({ db, clock, config: { nameDomains: ['atoll.test'], product: 'Atoll' } })
  const sealer = createSealer(Buffer.alloc(32, 7))
  const accounts = createAccounts({
    db,
    clock,
    identity,
    sealer,
    mail: { post: async () => 'ml_none', findState: async () => undefined },
    // An owner may use only what the test granted.
    quotaOfPlan: () => 0,
    isAccessLimited: async () => false,
    config: {
      sessionMs: 1000,
      canCreateCluster: true,
      product: 'Atoll',
      publicUrl: 'http://localhost:4800',
      chinaUrl: 'http://localhost:4800',
      walletUrl: 'http://localhost:4801',
      requireMatchNumber: false,
    },
  })
  const billing = createBilling({
    db,
    clock,
    sealer,
    catalog: { current: () => testCatalog },
    accounts,
    quotaOfPlan: () => 0,
    meters: idleMeters,
    cuts: idleCuts,
    correctionDays: 90,
    onCapSet: async () => undefined,
    onStorageTurn: async () => undefined,
    wakeCluster,
    mail: { post: async () => 'ml_none' },
    findOwnCluster,
    listClusterOwners,
    listOwnInstances,
    async findMethod(from, userid) {
      const [card] = await listCards(from, userid, 'sandbox')
      return card ? { id: card.id, gateway: card.gateway } : null
    },
    ...sandboxCharging(db, clock),
  })
  const deps: ClusterDeps = {
    db,
    clock,
    log: silentLog,
    config: {
      product: 'Atoll',
      walletName: 'LarePass',
      walletUrl: 'http://localhost:4801',
      publicUrl: 'https://console.atoll.test',
      edgeDomain: 'atoll.localhost',
      controlUrl: 'http://127.0.0.1:9',
      enrollUrl: 'http://console.test',
      clusterUrl: (label) => `http://${label}.atoll.localhost`,
      customUrl: (host) => `https://${host}`,
      relayUrl: 'http://edge.test:4802',
      frps: undefined,
      selfHostClusters: 3,
      strayMs: 7 * 24 * 60 * 60_000,
    },
    compute: {
      catalog: testCatalog,
      provider: () => provider,
      places: () => [{ place: 'process', provider }],
      watch: () => ({ stop: async () => undefined }),
    },
    agents,
    observe: createObserve({ db, clock, log: silentLog, onMeasured: async () => undefined }),
    enrollCommands: createEnrollCommands({ sealer, clock, enrollUrl: 'http://console.test' }),
    sealer,
    accounts,
    billing,
    customHosts: { find: async () => undefined, list: listHostsOf, give: async () => undefined },
    restores: options.restores ?? noRestores,
    onOpened: async () => undefined,
    addTraffic: async () => undefined,
    ...(deadlines && { deadlines }),
  }
  const job = clusterReconcile(deps)
  /** Runs the reconciler once, as the queue would. */
  const reconcile = (clusterId: string) => job.run({ id: clusterId }, jobContext())
  const intake = createIntake({
    ...deps,
    catalog: { current: () => deps.compute.catalog },
    isStorageStopped: (from, owner) => isUsageStopped(from, owner, 'cloud_storage', deps.clock.now()),
  })
  /** As agents do in the transaction that stores what an agent said. */
  async function onAgentChange(trx: Trx, ref: AgentRef): Promise<void> {
    const [agent] = await deps.agents.listAgents(trx, [ref.instanceId])
    if (agent) await intake.onAgentChange(trx, ref, agent)
  }
  return { deps, billing, db, database, clusters: createClusters(deps), intake, onAgentChange, reconcile, jobContext }
}

/** A caller that is the owner `userid`. */
export function callerOf(userid: string, role: Role = 'User'): Caller {
  return { userid, did: `did of ${userid}`, sessionId: 'ss_test', role, ip: '127.0.0.1' }
}

export async function createClusterHarness(options: Omit<HarnessOptions, 'databaseUrl'>) {
  const testDatabase = await createTestDatabase()
  const built = buildClusters({ ...options, databaseUrl: testDatabase.url })
  const { db } = built

  /** A new account with the ID `<name>@atoll.test`; null: without an ID. */
  async function newOwner(name: string | null = `u${randomBytes(6).toString('hex')}`, vCpuQuota = 16): Promise<string> {
    const at = new Date()
    const { userid, did } = await makeAccount(db, { vcpu_quota: vCpuQuota, created_at: at })
    await db.insertInto('dids').values({ did, registered_at: at }).execute()
    if (name !== null) {
      await db
        .insertInto('names')
        .values({ name: name.includes('@') ? name : `${name}@atoll.test`, did, bound_at: at })
        .execute()
    }
    return userid
  }

  async function rows(
    clusterId: string,
  ): Promise<{ cluster: ClusterRow; master: InstanceRow; workers: InstanceRow[]; operations: OperationRow[] }> {
    const [cluster, instances, operations] = await Promise.all([
      db.selectFrom('clusters').selectAll().where('id', '=', clusterId).executeTakeFirstOrThrow(),
      db
        .selectFrom('instances')
        .selectAll()
        .where('cluster_id', '=', clusterId)
        .where('replaced_at', 'is', null)
        .orderBy('ordinal')
        .orderBy('created_at')
        .execute(),
      db
        .selectFrom('operations')
        .selectAll()
        .where('cluster_id', '=', clusterId)
        .orderBy('started_at')
        .orderBy('id')
        .execute(),
    ])
    const [master, ...workers] = instances
    if (!master) throw new Error(`the cluster ${clusterId} has no master`)
    return { cluster, master, workers, operations }
  }

  return {
    ...built,
    databaseUrl: testDatabase.url,
    newOwner,
    rows,
    settle: (clusterId: string) => settle(built, rows, clusterId),
    /** The module once more on the same database, as another process has it. */
    sibling(other: Pick<HarnessOptions, 'provider' | 'wrapPool'>) {
      const twin = buildClusters({ ...options, ...other, databaseUrl: testDatabase.url, poolSize: 40 })
      return { ...twin, settle: (clusterId: string) => settle(twin, rows, clusterId) }
    },
    /** How many jobs wait for the cluster, timers included. */
    async countJobs(clusterId: string): Promise<number> {
      const { rows: found } = await built.database.pool.query(
        "select count(*)::int as count from graphile_worker._private_jobs where payload->>'id' = $1",
        [clusterId],
      )
      return found[0].count
    },
    async [Symbol.asyncDispose]() {
      await built.database.close()
      await testDatabase.drop()
    },
  }
}
type Rows = (clusterId: string) => Promise<{ master: InstanceRow; workers: InstanceRow[] }>

/** Reconciles, without waiting out any timer, until all instances are at rest; for at most 20 s. Gives the master. */
async function settle(
  { reconcile }: Pick<ReturnType<typeof buildClusters>, 'reconcile'>,
  rows: Rows,
  clusterId: string,
): Promise<InstanceRow> {
  const end = performance.now() + 20_000
  while (performance.now() < end) {
    await reconcile(clusterId)
    const { master, workers } = await rows(clusterId)
    if (![master, ...workers].some((one) => isTransitioning(one.status) || one.move_to !== null)) return master
  }
  throw new Error(`the cluster is not at rest: ${JSON.stringify(await rows(clusterId))}`)
}
export type ClusterHarness = Awaited<ReturnType<typeof createClusterHarness>>
