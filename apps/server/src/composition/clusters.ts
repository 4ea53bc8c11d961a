import { createAgents } from '../modules/agents/index.ts'
import { isUsageStopped } from '../modules/billing/index.ts'
import { createClusters, createIntake } from '../modules/clusters/index.ts'
import { createCompute } from '../modules/compute/index.ts'
import { findCustomHost, listHostsOf } from '../modules/domains/index.ts'
import { createObserve } from '../modules/observe/index.ts'
import { findFact, keepFact, processFolderFact } from '../platform/facts/index.ts'
import type { Base, Modules } from './modules.ts'

/** Machines, the agents on them, and the clusters that they are. */
export function composeClusters({ db, clock, config, log, catalog, sealer, listener }: Base, modules: Modules): void {
  // Each is made of those before it: agents say to the intake what changed, clusters ask compute and agents.
  const intake = createIntake({
    ...{ db, clock, config, sealer, catalog },
    restores: { begin: (trx, by, asked) => modules.backups.restores.begin(trx, by, asked) },
    isStorageStopped: (from, owner) => isUsageStopped(from, owner, 'cloud_storage', clock.now()),
  })
  const observe = createObserve({ db, clock, log, onMeasured: intake.onMeasured })
  const owner: typeof intake = {
    ...intake,
    async onAgentChange(trx, agent, row) {
      await intake.onAgentChange(trx, agent, row)
      await modules.backups.onAgentChange(trx, agent, row)
    },
    async onTaskChange(trx, agent, task) {
      await intake.onTaskChange(trx, agent, task)
      await modules.backups.onTaskChange(trx, agent, task)
    },
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
  modules.observe = observe
  modules.agents = agents
  modules.clusters = createClusters({
    db,
    clock,
    log,
    config,
    compute,
    agents,
    observe,
    enrollCommands: agents.enrollCommands,
    sealer,
    accounts: modules.accounts,
    billing: modules.billing,
    customHosts: {
      find: findCustomHost,
      list: listHostsOf,
      give: (trx, owner) => modules.domains.nameHosts(trx, owner),
    },
    restores: {
      begin: (trx, by, asked) => modules.backups.restores.begin(trx, by, asked),
      check: (trx, asked) => modules.backups.restores.check(trx, asked),
      again: (trx, id) => modules.backups.restores.again(trx, id),
      list: (from, ids) => modules.backups.restores.list(from, ids),
      listKin: (from, of) => modules.backups.restores.listKin(from, of),
    },
    // Whom it limits is seen with what moves next at an edge: we cannot cut what others carry.
    addTraffic: async (trx, at, bytes) => void (await modules.limits.countIn(trx, at, bytes)),
  })
}
