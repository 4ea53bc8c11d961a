/** Our DNS: the zones of customers' domains, and the name server that answers for them. */
import type { MovedRecords } from '@atoll/contract/domains'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Listener } from '../../platform/events/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { GivenSockets } from '../../platform/listening.ts'
import type { Log } from '../../platform/log.ts'
import type { SourceCheck } from '../../platform/sources/index.ts'
import { type Challenges, createChallenges } from './lookups/challenges.ts'
import { ask, type DnsServerAddress, type Resolver } from './lookups/dns-client.ts'
import { findMailServers } from './lookups/find-mail-servers.ts'
import { listOwnRecords } from './lookups/list-own-records.ts'
import { createLookup, type LookUp } from './lookups/lookup.ts'
import { type NameServerWatch, watchNameServers } from './lookups/name-server-watch.ts'
import { type CaaQuestion, seeCaa } from './lookups/see-caa.ts'
import { isServedBy, type SeenServer, seeServed } from './lookups/see-served.ts'
import { createPowerDnsDriver, type PowerDnsFigures, type PowerDnsSettings } from './powerdns/powerdns.ts'
import { createDnsServer, type DnsServer } from './serving/dns-server.ts'
import { createQueryCounts, type QueryCount } from './serving/query-counts.ts'
import { followZones, type LiveZones } from './serving/zone-map.ts'
import type { Zone, ZoneInput } from './zones/zone.ts'
import { hasZone, listZones, removeZone, setZone } from './zones/zone-store.ts'

export { challengeZoneOf } from './lookups/challenges.ts'
export { askNameServer } from './lookups/dns-client.ts'
export type { LookupResult } from './lookups/lookup.ts'
export { describeSilent } from './lookups/name-server-watch.ts'
export { isServedBy } from './lookups/see-served.ts'
export { dnsKeyMoves } from './powerdns/key-moves.ts'
export { wakePowerDns } from './powerdns/powerdns.ts'
export { dnsTimes } from './powerdns/stored-times.ts'
export { renumberZones, zoneStraysJob } from './powerdns/zone-strays.ts'
export { isServable } from './zones/zone.ts'
export { hasZone, removeZone, setZone } from './zones/zone-store.ts'

export interface DnsDeps {
  db: Db
  clock: Clock
  sealer: Pick<Sealer, 'deriveEach'>
  listener: Listener
  log: Log
  config: {
    host: string
    dnsRate: number
    nameServers: readonly (DnsServerAddress & { host: string })[]
    edgeAddresses: { ipv4: readonly string[]; ipv6: readonly string[]; host: string }
    resolvers: readonly Resolver[]
    /** Our certification authority as CAA names it; undefined: CAA is not checked. */
    caaIssuer?: string | undefined
    /** The zone for challenges of domains that are used by CNAME; undefined: none are answered so. */
    challengeZone?: string | undefined
    /** The PowerDNS servers that answer for the zones; undefined: the role dns answers. */
    powerDns?: PowerDnsSettings | undefined
    /** How long a zone that no row names is kept, ms. */
    strayMs: number
  }
}

export interface Dns {
  /**
   * Reads the zones and answers for them, over UDP and TCP. Resolves with the port, which differs from the one asked
   * for when that was 0.
   */
  listen(place: number | GivenSockets): Promise<number>
  close(): Promise<void>
  /** As in zones/zone-store.ts; whatever serves the zones is notified when `trx` commits. */
  setZone(trx: Trx, zone: ZoneInput): Promise<{ version: number }>
  removeZone(trx: Trx, zone: { domain: string }): Promise<void>
  hasZone(trx: Trx, domain: string): Promise<boolean>
  findZone(db: Db, domain: string): Promise<Zone | undefined>
  /** Host names of our name servers; none: domains cannot be delegated here. */
  nameServers: readonly string[]
  /** The records of a zone's hosts: addresses of the edge, or its name. */
  hostRecords: readonly { type: 'A' | 'AAAA' | 'CNAME'; value: string }[]
  /** Looks at the world's DNS: seconds. Whatever it says is a verdict; throws for what is no name. */
  lookUp: LookUp
  /** The mail servers of a domain; undefined: no resolver answered. */
  findMailServers(domain: string): Promise<string[] | undefined>
  /** The records at the name itself, and texts at the names `below`; null: no resolver answers. */
  listOwnRecords(domain: string, below: readonly string[]): Promise<MovedRecords | null>
  /** Whether our name servers that answer have the zone, in this version or a later one, and at least one does. */
  isServed(zone: { domain: string; version: number }): Promise<boolean>
  /** The same for each of them. */
  seeServed(zone: { domain: string; version: number }): Promise<SeenServer[]>
  /** Which of our name servers answer; empty: there are none, or none was asked yet. */
  nameServersUp: NameServerWatch
  /** Whether CAA records forbid our certification authority to issue for one of `names`. */
  forbidsIssuer(order: Omit<CaaQuestion, 'issuer'> & { names: readonly string[] }): Promise<boolean>
  /** Challenges by CNAME; undefined: this deployment has no zone for them. */
  challenges: Challenges | undefined
  /** How this process's lookups ended so far. */
  checks(): Record<'passed' | 'waiting' | 'failed', number>
  /** The queries that this process answered so far. */
  counts(): QueryCount[]
  /** How the programs that answer in our stead fare; undefined: there are none. */
  measurePowerDns: (() => Promise<PowerDnsFigures[]>) | undefined
  jobs: Job[]
  /** Checks of whether servers outside have newer zones than this database. */
  sources: SourceCheck[]
}

export function createDns({ db, clock, sealer, listener, log, config }: DnsDeps): Dns {
  const settings = config.powerDns
  const secrets = sealer.deriveEach('zones at PowerDNS')
  const powerDns = settings && createPowerDnsDriver({ db, clock, log, settings, secrets, strayMs: config.strayMs })
  const { ipv4, ipv6, host } = config.edgeAddresses
  const addresses = [
    ...ipv4.map((value) => ({ type: 'A' as const, value })),
    ...ipv6.map((value) => ({ type: 'AAAA' as const, value })),
  ]
  const counts = createQueryCounts()
  const lookups = { passed: 0, waiting: 0, failed: 0 }
  const lookUp = createLookup({ resolvers: config.resolvers, issuer: config.caaIssuer })
  let server: DnsServer | undefined
  let live: LiveZones | undefined
  return {
    async listen(place) {
      live = await followZones({ db, listener, log })
      server = createDnsServer({ zones: live.zones, counts, log, rate: config.dnsRate })
      return typeof place === 'number' ? await server.listen(config.host, place) : await server.listenOn(place)
    },
    async close() {
      await server?.close()
      await live?.close()
    },
    async setZone(trx, zone) {
      const set = await setZone(trx, zone)
      await powerDns?.wake(trx, zone.domain)
      return set
    },
    async removeZone(trx, zone) {
      await removeZone(trx, zone)
      await powerDns?.wake(trx, zone.domain)
    },
    hasZone,
    findZone: async (from, domain) => (await listZones(from, [domain]))[0],
    nameServers: config.nameServers.map((server) => server.host),
    hostRecords: addresses.length > 0 ? addresses : [{ type: 'CNAME', value: host }],
    challenges:
      config.challengeZone !== undefined && config.nameServers.length > 0
        ? createChallenges(ask, config.resolvers, config.challengeZone)
        : undefined,
    findMailServers: (domain) => findMailServers(ask, config.resolvers, domain),
    async lookUp(request) {
      try {
        const result = await lookUp(request)
        lookups[result.passed ? 'passed' : 'waiting'] += 1
        return result
      } catch (error) {
        lookups.failed += 1
        throw error
      }
    },
    checks: () => ({ ...lookups }),
    forbidsIssuer: async ({ names, ...question }) => {
      const { caaIssuer: issuer, resolvers } = config
      if (issuer === undefined) return false
      const seen = await Promise.all(names.map((name) => seeCaa(ask, resolvers, name, { issuer, ...question })))
      return seen.some((verdict) => verdict !== undefined)
    },
    listOwnRecords: (domain, below) => listOwnRecords(ask, config.resolvers, domain, below),
    async isServed(zone) {
      return isServedBy(await seeServed(ask, config.nameServers, zone))
    },
    seeServed: (zone) => seeServed(ask, config.nameServers, zone),
    nameServersUp: watchNameServers(ask, config.nameServers, log),
    counts: counts.read,
    measurePowerDns: powerDns?.measure,
    jobs: powerDns?.jobs ?? [],
    sources: powerDns?.sources ?? [],
  }
}
