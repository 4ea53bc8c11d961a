import { findAddressee } from '../modules/accounts/index.ts'
import { createCertificates, openAcmeCa, withOwnNames } from '../modules/certificates/index.ts'
import { findAddressedClusters, listAddressedClusterIds, listClusterNames } from '../modules/clusters/index.ts'
import { createCredentials } from '../modules/credentials/index.ts'
import { createDns } from '../modules/dns/index.ts'
import { createDomains, createNotifyPerson, findCustomHost } from '../modules/domains/index.ts'
import { createEdge } from '../modules/edge/index.ts'
import type { Base, Modules } from './modules.ts'
import { listRegisteredHosts } from './registered-hosts.ts'

/** Names on the net: domains that people bring, what they are answered with, and the edge behind them. */
export async function composeDomains(base: Base, modules: Modules): Promise<void> {
  const { db, clock, config, log, sealer, listener } = base
  const { accounts, agents, clusters, identity, limits, mail } = modules
  const dns = createDns({ db, clock, sealer, listener, log, config })
  modules.dns = dns
  modules.certificates = createCertificates({
    db,
    clock,
    sealer,
    listener,
    log,
    ca: config.acme && (await openAcmeCa({ db, clock, sealer, config: config.acme })),
    issuer: config.caaIssuer,
    weeklyShare: config.acmeShare,
    domains: withOwnNames(
      {
        find: (from, number) => modules.domains.findServed(from, number),
        rewrite: (trx, number, write) => modules.domains.rewrite(trx, number, write),
        pointsHere: (number) => modules.domains.pointsHere(number),
        notifyOwner: (trx, number, news) => modules.domains.notifyOwner(trx, number, news),
        findAccount: (from, number, name) => modules.domains.findAccount(from, number, name),
        findHost: findCustomHost,
      },
      { edgeDomain: config.edgeDomain, log, dns },
    ),
    clusters: { listRegistered: listRegisteredHosts },
    dns,
  })
  modules.credentials = createCredentials({ db, clock, sealer, config })
  modules.domains = createDomains({
    db,
    clock,
    config,
    ownDomains: [
      config.edgeDomain,
      ...config.nameDomains,
      ...dns.nameServers,
      ...(config.challengeZone === undefined ? [] : [config.challengeZone]),
      new URL(config.publicUrl).hostname,
      new URL(config.chinaUrl).hostname,
      ...config.edgeOwnHosts.keys(),
    ],
    dns,
    credentials: modules.credentials,
    sealer,
    mail,
    notify: createNotifyPerson({ clock, mail, findAddressee }),
    certificates: modules.certificates,
    clusters: { listOf: listAddressedClusterIds, findLiving: findAddressedClusters, listNames: listClusterNames },
    names: {
      lock: identity.lockNames,
      async take(trx, request) {
        await identity.takeName(trx, request)
        await modules.domains.nameHosts(trx, request.did)
      },
      requireFree: identity.requireFreeName,
      remove: identity.removeName,
      release: identity.releaseNames,
      forget: identity.forgetNames,
    },
    lockAccount: accounts.lockLimits,
    findNameOf: identity.findNameOf,
    findAddressee,
  })
  modules.edge = createEdge({
    db,
    clock,
    listener,
    log,
    config,
    peerProof: sealer.derive('edge to edge'),
    agents: {
      meetDial: agents.meetDial,
      listEnrolled: (instanceIds) => agents.listEnrolled(db, instanceIds),
    },
    async findRoute(host) {
      const route = await clusters.findRouteByHost(db, host)
      return route?.serving ? { ...route, ...(await limits.ofOwner(route.owner)) } : route
    },
    addTraffic: limits.count,
    openCertificates: modules.certificates.openSource,
  })
}
