import type { DomainVerdict } from '@atoll/contract/domains'
import type { Locale } from '@atoll/contract/wire'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Trx } from '../../platform/db/index.ts'

/** What is looked for in DNS (modules/dns). */
export type Wanted =
  | { kind: 'txt'; names: string[]; value: string }
  | { kind: 'ns'; servers: string[] }
  | { kind: 'cname'; name: string; target: string }

export interface Look {
  passed: boolean
  verdicts: DomainVerdict[]
}

/** DNS as this module needs it: the zones that we serve, and a look at what others do. */
export interface DomainDns {
  /** Host names of our servers; none: domains cannot be delegated here. */
  nameServers: readonly string[]
  /** What is answered for the hosts of a zone. */
  hostRecords: readonly { type: 'A' | 'AAAA' | 'CNAME'; value: string }[]
  setZone(
    trx: Trx,
    zone: {
      domain: string
      nameServers: string[]
      records: { name: string; type: 'A' | 'AAAA' | 'CNAME'; value: string }[]
    },
  ): Promise<{ version: number }>
  /** Safe to repeat. */
  removeZone(trx: Trx, zone: { domain: string }): Promise<void>
  lookAt(asked: { domain: string; want: Wanted }): Promise<Look>
  /** Whether each of our name servers answers for the zone, in this version or a later one. */
  isServed(zone: { domain: string; version: number }): Promise<boolean>
}

interface SignedFor {
  userid: string
  domain: string
  locale: Locale
}

/** Credentials as this module needs them (modules/credentials). */
export interface DomainCredentials {
  readApplication(jws: string, expected: SignedFor): Promise<{ id: string; owner: string }>
  issue(
    trx: Trx,
    order: { number: number; domain: string; userid: string; application: { id: string; owner: string } },
  ): Promise<{ credential_response: object; verifiableCredentials: string[]; responseJwt: string }>
  readPresentation(jws: string, expected: SignedFor & { number: number }): Promise<{ nonce: string; hash: string }>
  /** True: this very presentation was taken before. */
  takeNonce(trx: Trx, holder: string, presented: { nonce: string; hash: string }): Promise<boolean>
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
  }
  /** Names of this service, which nobody can link. */
  ownDomains: readonly string[]
  dns: DomainDns
  credentials: DomainCredentials
  /** Names under custom domains (modules/identity). */
  names: {
    /** Held until `trx` ends; taken before all other locks. */
    lock(trx: Trx): Promise<void>
    take(trx: Trx, wish: { did: string; name: string }): Promise<void>
    /** Frees every name under `domain`. */
    release(trx: Trx, domain: string): Promise<unknown>
  }
  /** Locks the account's row until `trx` ends. */
  lockAccount(trx: Trx, userid: string): Promise<unknown>
  /** The `name@domain` of an account; null without one. */
  findNameOf(db: Db | Trx, userid: string): Promise<string | null>
}
