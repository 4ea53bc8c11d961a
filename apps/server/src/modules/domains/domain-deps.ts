import type { DomainVerdict } from '@atoll/contract/domains'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Trx } from '../../platform/db/index.ts'

/** What is looked for in DNS (modules/dns). */
export type Wanted =
  | { kind: 'txt'; names: readonly string[]; value: string }
  | { kind: 'ns'; servers: readonly string[] }
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
  ): Promise<unknown>
  /** Safe to repeat. */
  removeZone(trx: Trx, zone: { domain: string }): Promise<void>
  lookAt(asked: { domain: string; want: Wanted }): Promise<Look>
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
  /** Locks the account's row until `trx` ends. */
  lockAccount(trx: Trx, userid: string): Promise<unknown>
  /** The `name@domain` of an account; null without one. */
  findNameOf(db: Db | Trx, userid: string): Promise<string | null>
}
