import type { DomainCertificate, DomainHttps, DomainMethod, DomainVerdict, MovedRecords } from '@atoll/contract/domains'
import type { Locale, PageFigures, PageQuery } from '@atoll/contract/wire'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Mail } from '../mail/index.ts'
import type { NotifyPerson } from './notify-person.ts'

/** The wanted records of a DNS lookup (modules/dns). */
export type Wanted =
  | { kind: 'txt'; names: string[]; value: string }
  | { kind: 'ns'; servers: string[] }
  | { kind: 'cname'; name: string; target: string }

export interface LookupResult {
  passed: boolean
  /** Somebody said whether the record is there; false: silence, which changes nothing. */
  answered: boolean
  verdicts: DomainVerdict[]
}

/** A record of a zone as this module writes it. */
export interface HostRecord {
  name: string
  type: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT' | 'CAA'
  value: string
}

export interface ServedZone {
  serial: number
  /** The first one is the primary. */
  nameServers: string[]
  records: HostRecord[]
}

/** DNS as this module needs it: the zones that we serve, and lookups of what others do. */
export interface DomainDns {
  /** Host names of our servers; none: domains cannot be delegated here. */
  nameServers: readonly string[]
  /** The records of a zone's hosts. */
  hostRecords: readonly { type: 'A' | 'AAAA' | 'CNAME'; value: string }[]
  setZone(
    trx: Trx,
    zone: { domain: string; nameServers: string[]; records: HostRecord[] },
  ): Promise<{ version: number }>
  /** Whether `domain` is served now. */
  hasZone(trx: Trx, domain: string): Promise<boolean>
  /** Safe to repeat. */
  removeZone(trx: Trx, zone: { domain: string }): Promise<void>
  lookUp(asked: { domain: string; want: Wanted }): Promise<LookupResult>
  /** The mail servers of a domain; undefined: unknown. */
  findMailServers(domain: string): Promise<string[] | undefined>
  /** The records at the name itself, and texts at the names `below`; null: no resolver answers. */
  listOwnRecords(domain: string, below: readonly string[]): Promise<MovedRecords | null>
  /** The zone to be served for `domain`; undefined: it has none. */
  findZone(db: Db, domain: string): Promise<ServedZone | undefined>
  /** Challenges that owners have pointed here by CNAME; undefined: this deployment has no zone for them. */
  challenges?: { zoneOf(domain: string): string; isPointed(domain: string): Promise<boolean | undefined> } | undefined
  /** For each of our name servers whether it answers for the zone, in this version or a later one. */
  seeServed(zone: {
    domain: string
    version: number
  }): Promise<{ server: string; isServed: boolean; answered: boolean }[]>
}

/** HTTPS as this module needs it (modules/certificates). */
export interface DomainCertificates {
  /** The records that the certificates of `domain` need in its zone: who may issue, and open challenges. */
  listRecords(trx: Trx, domain: string): Promise<HostRecord[]>
  /**
   * Has certificates for a domain that is served and for its `hosts`, directly under it, and for no others. Safe to
   * repeat.
   */
  want(
    trx: Trx,
    domain: { number: number; name: string; method: DomainMethod; hosts: readonly string[]; isAliased: boolean },
  ): Promise<void>
  /** Drops every certificate of a domain, its keys and open orders. Safe to repeat. */
  drop(trx: Trx, number: number): Promise<void>
  /** Has the certificates of a domain that failed tried now: something was mended. Safe to repeat. */
  wake(trx: Trx, number: number): Promise<void>
  /** Drops what a visit of `name` ordered. `stays`: it is for a cluster's own host or for all of the domain. */
  remove(trx: Trx, number: number, name: string): Promise<'removed' | 'stays' | 'none'>
  /** A page of the certificates of a domain. */
  list(db: Db, number: number, page: PageQuery): Promise<PageFigures & { certificates: DomainCertificate[] }>
  /** The names of each certificate that a domain should have, and its end; null while it is not issued. */
  listEnds(db: Db | Trx, number: number): Promise<{ names: string[]; validUntil: Date | null }[]>
  /** How HTTPS of a domain is. */
  describe(db: Db | Trx, number: number): Promise<DomainHttps>
}

/** Clusters as this module needs them (modules/clusters). */
export interface DomainClusters {
  /** Of an account, those that are not gone; the oldest first. */
  listOf(db: Db | Trx, owner: string): Promise<string[]>
  /** Which of these are not gone. */
  findLiving(db: Db, ids: readonly string[]): Promise<string[]>
  listNames(db: Db, ids: readonly string[]): Promise<{ clusterId: string; clusterName: string }[]>
}

interface SignedFor {
  did: string
  domain: string
  locale: Locale
}

/** Credentials as this module needs them (modules/credentials). */
export interface DomainCredentials {
  readApplication(jws: string, expected: SignedFor): Promise<{ id: string; owner: string }>
  issue(
    trx: Trx,
    order: { number: number; domain: string; userid: string; did: string; application: { id: string; owner: string } },
  ): Promise<{ credential_response: object; verifiableCredentials: string[]; responseJwt: string }>
  readPresentation(
    jws: string,
    expected: SignedFor & { number: number; userid: string },
  ): Promise<{ nonce: string; hash: string }>
  /** True: this very presentation was taken before. */
  takeNonce(trx: Trx, holder: string, presented: { nonce: string; hash: string }): Promise<boolean>
  /** Claims whose last valid credential ends before `before`; of one claim alone with `number`. */
  listEnding(db: Db | Trx, before: Date, number?: number): Promise<number[]>
  /** The end of a claim's last valid credential. */
  findEnd(db: Db | Trx, number: number): Promise<Date | undefined>
  /** Safe to repeat. */
  revoke(trx: Trx, number: number): Promise<void>
}

export interface DomainDeps {
  db: Db
  clock: Clock
  config: {
    /** Where clusters are reached: the target of a CNAME. */
    edgeDomain: string
    nameDomains: readonly string[]
    /** Whether an account needs an email at Google to join an organization on the console. */
    orgEmail: 'google' | 'any'
  }
  sealer: Pick<Sealer, 'derive' | 'accepts'>
  mail: Pick<Mail, 'post'>
  notify: NotifyPerson
  /** Names of this service, which nobody can link. */
  ownDomains: readonly string[]
  dns: DomainDns
  credentials: DomainCredentials
  certificates: DomainCertificates
  clusters: DomainClusters
  /** Names under custom domains (modules/identity). */
  names: {
    /** Held until `trx` ends; taken before all other locks. */
    lock(trx: Trx): Promise<void>
    take(trx: Trx, request: { did: string; name: string; isGiven?: boolean }): Promise<void>
    /** Ends one name, which is kept from everybody for a year. Safe to repeat. */
    remove(trx: Trx, removed: { did: string; name: string }): Promise<void>
    /**
     * Refuses a name that cannot be bound, or that somebody has; gives whom it is kept for (null: from everybody, but
     * its domain's owner can give it away), and until when.
     */
    requireFree(db: Db | Trx, name: string): Promise<{ did: string | null; until: Date } | undefined>
    /** Frees every name under `domain`. */
    release(trx: Trx, domain: string): Promise<string[]>
    /** Keeps no name under `domain` for those who had it before. */
    forget(trx: Trx, domain: string): Promise<void>
  }
  /** Locks the account's row until `trx` ends. */
  lockAccount(trx: Trx, userid: string): Promise<unknown>
  /** The `name@domain` of an account; null without one. */
  findNameOf(db: Db | Trx, userid: string): Promise<string | null>
  /** Where mail about an account goes; undefined without a proven email. */
  findAddressee(db: Db | Trx, userid: string): Promise<{ email: string; name: string; locale: Locale } | undefined>
}
