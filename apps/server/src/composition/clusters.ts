import { createAgents } from '../modules/agents/index.ts'
import { clusterRestores, createBackupEvents } from '../modules/backups/index.ts'
import { isUsageStopped } from '../modules/billing/index.ts'
import { createClusters, createIntake, findActiveCluster } from '../modules/clusters/index.ts'
import { createCompute } from '../modules/compute/index.ts'
import { findCustomHost, listHostsOf } from '../modules/domains/index.ts'
import { createObserve } from '../modules/observe/index.ts'
import type { Trx } from '../platform/db/index.ts'
import { findFact, keepFact, processFolderFact } from '../platform/facts/index.ts'
import type { Hooks } from './hooks.ts'
import type { Base, Modules } from './modules.ts'

type Given = Pick<Modules, 'accounts' | 'billing' | 'limits' | 'vault'> & {
  hooks: Pick<Hooks, 'agentChange' | 'taskChange' | 'clusterOpened'>
  /** Gives the clusters of an account their hosts under the domain of its ID. */
  giveHosts(trx: Trx, owner: string): Promise<void>
}

/** Machines, the agents on them, and the clusters that they are. */
export function composeClusters(
  { db, clock, config, log, catalog, sealer, listener }: Base,
  { accounts, billing, limits, vault, hooks, giveHosts }: Given,
) {
  const restores = clusterRestores({ clock, config, findActiveCluster })
  // Each is made of those before it: agents say to the intake what changed, clusters ask compute and agents.
  const intake = createIntake({
    db,
    clock,
    config,
    sealer,
    catalog,
    restores,
    isStorageStopped: (from, owner) => isUsageStopped(from, owner, 'cloud_storage', clock.now()),
  })
  const observe = createObserve({ db, clock, log, onMeasured: intake.onMeasured })
  const backupEvents = createBackupEvents({ clock, renewGrants: vault.renewGrants })
  const owner: typeof intake = {
    ...intake,
    onAgentChange: (trx, agent, row) => hooks.agentChange.publish(trx, { agent, row }),
    onTaskChange: (trx, agent, task) => hooks.taskChange.publish(trx, { agent, task }),
  }
  const agents = createAgents({ db, clock, sealer, listener, log, config, observe, owner })
  const compute = createCompute({
    config,
    log,
    catalog,
    folderId: {
      find: () => findFact(db, processFolderFact),
      keep: (id) => keepFact(db, processFolderFact, id),
    },
    hosts: {
      find: (instanceId) => agents.hosts.find(db, instanceId),
      requestRestart: (instanceId, bootId) => agents.hosts.requestRestart(db, instanceId, bootId),
      requestLeave: (instanceId) => agents.hosts.requestLeave(db, instanceId),
    },
  })
  const clusters = createClusters({
    db,
    clock,
    log,
    config,
    compute,
    agents,
    observe,
    enrollCommands: agents.enrollCommands,
    sealer,
    accounts,
    billing,
    customHosts: {
      find: findCustomHost,
      list: listHostsOf,
      give: giveHosts,
    },
    restores,
    onOpened: (opened) => db.transaction().execute((trx) => hooks.clusterOpened.publish(trx, opened)),
    // Whom it limits is seen with what moves next at an edge: we cannot cut what others carry.
    addTraffic: async (trx, at, bytes) => void (await limits.countIn(trx, at, bytes)),
  })
  return { observe, agents, clusters, intake, backupEvents }
}
