import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Ca } from './acme/ca.ts'

/** A customer's domain as HTTPS needs it. */
export interface ServedDomain {
  name: string
  /** It points here no more: nothing is ordered until it does again. */
  isLost: boolean
}

export interface CertificateDeps {
  db: Db
  clock: Clock
  sealer: Sealer
  /** Undefined: this deployment gets no certificates. */
  ca: Ca | undefined
  /** As CAA names the authority; undefined: CAA is neither answered nor checked. */
  issuer: string | undefined
  /** Hosts of clusters under customers' domains (modules/domains). */
  domains: {
    find(db: Db, number: number): Promise<ServedDomain | undefined>
    /**
     * Runs `write` under the domain's row and has its zone follow; gives the zone's version where we serve one.
     * Undefined: the domain is gone, and nothing was run.
     */
    rewrite(trx: Trx, number: number, write: () => Promise<void>): Promise<{ zoneVersion: number | null } | undefined>
    findHost(db: Db, host: string): Promise<{ clusterId: string; clusterHost: string; domainId: string } | undefined>
  }
  /** Our name servers and the world's DNS (modules/dns). */
  dns: {
    isServed(zone: { domain: string; version: number }): Promise<boolean>
    /** Whether CAA records forbid our authority. */
    forbidsIssuer(domain: string): Promise<boolean>
  }
}
