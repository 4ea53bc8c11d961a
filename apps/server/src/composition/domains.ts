import { findAccountOfDid, findAddressee, findName } from '../modules/accounts/index.ts'
import { createStatus } from '../modules/announcements/index.ts'
import {
  createCertificates,
  createDomainCertificates,
  openAcmeCa,
  withOwnNames,
} from '../modules/certificates/index.ts'
import { findAddressedClusters, listAddressedClusterIds, listClusterNames } from '../modules/clusters/index.ts'
import { createCredentials } from '../modules/credentials/index.ts'
import { createDns } from '../modules/dns/index.ts'
import {
  createDomains,
  createNotifyPerson,
  createServedDomains,
  findCustomHost,
  nameHosts,
} from '../modules/domains/index.ts'
import { createEdge, type Edge } from '../modules/edge/index.ts'
import type { Trx } from '../platform/db/index.ts'
import type { Base, Modules } from './modules.ts'
import { listRegisteredHosts } from './registered-hosts.ts'

type Given = Pick<Modules, 'accounts' | 'identity' | 'mail'>

/** Names on the net: domains that people bring, and what they are answered with. */
export async function composeDomains(base: Base, { accounts, identity, mail }: Given) {
  const { db, clock, config, log, sealer, listener } = base
  const dns = createDns({ db, clock, sealer, listener, log, config })
  const ca = config.acme && (await openAcmeCa({ db, clock, sealer, config: config.acme }))
  const issuer = config.caaIssuer
  const notify = createNotifyPerson({ clock, mail, findAddressee })
  // The modules that domains place orders with are made before them, those that work on the orders after them.
  const hosting = {
    db,
    config,
    dns,
    notify,
    certificates: createDomainCertificates({ clock, ca, issuer }),
    clusters: { listOf: listAddressedClusterIds, findLiving: findAddressedClusters, listNames: listClusterNames },
    findNameOf: findName,
  }
  const giveHosts = (trx: Trx, owner: string) => nameHosts(hosting, trx, owner)
  const { findServed, ...served } = createServedDomains(hosting)
  const certificates = createCertificates({
    db,
    clock,
    sealer,
    listener,
    log,
    ca,
    issuer,
    weeklyShare: config.acmeShare,
    domains: withOwnNames(
      { ...served, find: findServed, findHost: findCustomHost },
      { edgeDomain: config.edgeDomain, log, dns },
    ),
    clusters: { listRegistered: listRegisteredHosts },
    dns,
  })
  const credentials = createCredentials({ db, clock, sealer, config })
  const domains = createDomains({
    ...hosting,
    clock,
    ownDomains: [
      config.edgeDomain,
      ...config.nameDomains,
      ...dns.nameServers,
      ...(config.challengeZone === undefined ? [] : [config.challengeZone]),
      new URL(config.publicUrl).hostname,
      new URL(config.chinaUrl).hostname,
      ...config.edgeOwnHosts.keys(),
    ],
    credentials,
    sealer,
    mail,
    names: {
      lock: identity.lockNames,
      async take(trx, request) {
        await identity.takeName(trx, request)
        const userid = await findAccountOfDid(trx, request.did)
        if (userid !== undefined) await giveHosts(trx, userid)
      },
      requireFree: identity.requireFreeName,
      remove: identity.removeName,
      release: identity.releaseNames,
      forget: identity.forgetNames,
    },
    lockAccount: accounts.lockLimits,
    findAddressee,
  })
  return { dns, certificates, credentials, domains, giveHosts }
}

/** The edge behind them. */
export function composeEdge(
  { db, clock, config, log, sealer, listener }: Base,
  { agents, clusters, limits, certificates }: Pick<Modules, 'agents' | 'clusters' | 'limits' | 'certificates'>,
): Edge {
  return createEdge({
    db,
    clock,
    listener,
    log,
    config,
    peerProofs: sealer.deriveEach('edge to edge'),
    agents: {
      meetDial: agents.meetDial,
      listEnrolled: (instanceIds) => agents.listEnrolled(db, instanceIds),
    },
    async findRoute(host) {
      const route = await clusters.findRouteByHost(db, host)
      return route?.serving ? { ...route, ...(await limits.ofOwner(route.owner)) } : route
    },
    addTraffic: limits.count,
    openCertificates: certificates.openSource,
    status: createStatus({ db, clock, log, config }),
  })
}
