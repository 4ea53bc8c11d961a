/** The modules' contributions to the processes: routes and plugins for the api, jobs for the worker. */
import type { FastifyPluginAsync } from 'fastify'
import type { Route } from '../http/route.ts'
import { isChannelServed } from '../modules/agents/index.ts'
import { listLateBackups, listOldProofs, listProved } from '../modules/backups/index.ts'
import {
  invoiceExportPlugin,
  invoicePdfPlugin,
  statementPlugin,
  usageExportPlugin,
  verifyBooks,
} from '../modules/billing/index.ts'
import {
  getVisibleInstances,
  listEnds,
  listFailedWorkloads,
  listMeteredInstances,
  listNamedInstances,
  listWatchedInstances,
  lockCluster,
  onMasters,
} from '../modules/clusters/index.ts'
import { edgeAskPlugin } from '../modules/edge/index.ts'
import { createLedger } from '../modules/ledger/index.ts'
import { alertRoutes, alertsEvaluate, createScrape } from '../modules/observe/index.ts'
import { frpsPlugin } from '../modules/relay/index.ts'
import { listErased } from '../modules/rights/index.ts'
import { createSelfBackup } from '../modules/self-backup/index.ts'
import { usageRead } from '../modules/usage/index.ts'
import { listRepositoryLevels } from '../modules/vault/index.ts'
import type { DatabaseConnection } from '../platform/db/index.ts'
import { changesPrune } from '../platform/events/index.ts'
import { queueHeartbeat } from '../platform/heartbeat/index.ts'
import { failedJobsSweep, type Job } from '../platform/jobs/index.ts'
import { requestKeysPrune } from '../platform/requests/index.ts'
import type { Base, Modules } from './modules.ts'
import { listRegisteredHosts } from './registered-hosts.ts'

/** For the api: what it answers. */
export function composeAnswers(base: Base, modules: Modules): { routes: Route[]; plugins: FastifyPluginAsync[] } {
  const { db, clock, config, sealer, log } = base
  const { identity, mail, accounts, audit, payments, billing, observe, agents, clusters } = modules
  const { backups, credentials, domains } = modules
  const { authenticate } = accounts
  const scrape = createScrape({
    db,
    clock,
    config,
    samples: observe.samples,
    listOwned: listNamedInstances,
    async readUsage(userid) {
      const usage = await billing.planUsage(userid)
      const toBytes = (gigabytes: number) => Math.round(gigabytes * 1e9)
      return usage.map(({ productType: product, used, quota }) => ({
        product,
        used: toBytes(used),
        quota: toBytes(quota),
      }))
    },
    listBackups: (userid) => listProved(db, userid),
  })
  const alerts = alertRoutes({
    db,
    clock,
    samples: observe.samples,
    lockCluster,
    listOwned: listNamedInstances,
    listWatched: listWatchedInstances,
    async listOldProofs(userid) {
      const proofs = await listOldProofs(db, clock.now(), userid)
      return proofs.map(({ clusterId, subject: backup, value }) => ({ clusterId, backup, days: Math.floor(value) }))
    },
    getInstances: (viewer, clusterId) => getVisibleInstances(db, viewer, clusterId),
  })
  const routes = [
    modules.staff,
    modules.rollouts,
    modules.news,
    modules.announcements,
    modules.abuse,
    modules.rights,
    accounts,
    audit,
    agents,
    clusters,
    billing,
    scrape,
    { routes: alerts },
    payments,
    backups,
    domains,
  ]
  return {
    routes: routes.flatMap((module) => module.routes),
    plugins: [
      identity.plugin,
      credentials.plugin,
      domains.plugin,
      edgeAskPlugin({
        findRoute: (host) => clusters.findRouteByHost(db, host),
        listRegistered: (clusterId) => listRegisteredHosts(db, clusterId),
      }),
      accounts.plugin,
      mail.plugin,
      audit.plugin,
      agents.plugin,
      agents.enrollPlugin,
      frpsPlugin({
        log,
        isToken: clusters.frps.isToken,
        findLabel: (instanceId) => clusters.frps.findLabel(db, instanceId),
      }),
      scrape.plugin,
      statementPlugin({ db, clock, accounts, sealer, config, authenticate }),
      invoicePdfPlugin({ db, clock, config, authenticate }),
      invoiceExportPlugin({ db, authenticate }),
      usageExportPlugin({ billing: modules.billing, authenticate }),
      ...payments.plugins,
      ...modules.staff.plugins,
      modules.announcements.plugin,
      modules.rights.plugin,
    ],
  }
}

/** The jobs of the worker. */
export function composeJobs(base: Base, modules: Modules, connection: DatabaseConnection): Job[] {
  const { db, clock, config, sealer } = base
  const { mail, accounts, audit, payments, billing, observe, agents, clusters } = modules
  const { backups, certificates, credentials, dns, domains } = modules
  return [
    changesPrune({ db, clock }),
    requestKeysPrune({ db, clock }),
    failedJobsSweep({ db }),
    queueHeartbeat({ db }),
    ...accounts.jobs,
    ...modules.staff.jobs,
    ...modules.announcements.jobs,
    ...modules.abuse.jobs,
    ...modules.rights.jobs,
    ...modules.rollouts.jobs,
    ...mail.jobs,
    ...audit.jobs,
    ...createLedger({ db, clock, sealer }).jobs,
    verifyBooks({ db, clock, sealer }),
    ...agents.jobs,
    ...observe.jobs,
    alertsEvaluate({
      db,
      clock,
      mail,
      isChannelServed,
      listWatched: listWatchedInstances,
      sources: {
        workload: { needsSample: true, list: listFailedWorkloads },
        backup: {
          needsSample: false,
          list: async (trx, now) => await onMasters(trx, await listLateBackups(trx, now)),
        },
        proof: {
          needsSample: false,
          list: async (trx, now) => await onMasters(trx, await listOldProofs(trx, now)),
        },
      },
    }),
    ...clusters.jobs,
    ...billing.jobs,
    ...payments.jobs,
    ...backups.jobs,
    ...createSelfBackup({ db, clock, connection, listErased, ...config, config }).jobs,
    ...dns.jobs,
    ...domains.jobs,
    ...certificates.jobs,
    ...credentials.jobs,
    usageRead({
      db,
      clock,
      listMeteredInstances,
      listEnds,
      latestDisk: observe.samples.latest,
      listBackupLevels: listRepositoryLevels,
    }),
  ]
}
