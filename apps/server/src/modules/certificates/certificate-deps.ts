import type { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { domainMail } from '../mail/index.ts'
import type { Ca, ChallengeKind } from './acme/ca.ts'

/** A customer's domain as HTTPS needs it. */
export interface ServedDomain {
  name: string
  /** It no longer points here: nothing is ordered until it does again. */
  isLost: boolean
  /** The world asks our name servers for it, which is what a wildcard is proven by. */
  isDelegated: boolean
  /** Its owner has pointed `_acme-challenge` here by CNAME. */
  isAliased: boolean
}

/** The mails to a domain's owner about its certificates. */
export type HttpsNews = Extract<z.input<typeof domainMail.params>, { event: 'httpsFailing' | 'httpsEnding' }>

export interface CertificateDeps {
  db: Db
  clock: Clock
  sealer: Sealer
  /** Undefined: this deployment gets no certificates. */
  ca: Ca | undefined
  /** As CAA names the authority; undefined: CAA is neither answered nor checked. */
  issuer: string | undefined
  /** New certificates that an account gets in a week of those that an authority issues under a registered domain. */
  weeklyShare: number
  /** Hosts of clusters under customers' domains (modules/domains). */
  domains: {
    find(db: Db, number: number): Promise<ServedDomain | undefined>
    /**
     * Runs `write` under the domain's row and has its zone follow; gives the zone's version where we serve one.
     * Undefined: the domain is gone, and nothing was run.
     */
    rewrite(trx: Trx, number: number, write: () => Promise<void>): Promise<{ zoneVersion: number | null } | undefined>
    /** Whether its records lead here now, in the way it is set to; undefined: nobody answered. */
    pointsHere(number: number): Promise<boolean | undefined>
    /** Mails its owner; nobody where it is gone. */
    notifyOwner(trx: Trx, number: number, news: HttpsNews): Promise<void>
    /** The account whose clusters use a name, with or without `*.`; the domain's owner where none does. */
    findAccount(db: Db, number: number, name: string): Promise<string | undefined>
    findHost(db: Db, host: string): Promise<{ clusterId: string; clusterHost: string; domainId: string } | undefined>
  }
  /** Reports of clusters about themselves (modules/agents). */
  clusters: {
    /** Labels below a cluster's own host that it registers; null: its agent does not say. */
    listRegistered(db: Db, clusterId: string): Promise<readonly string[] | null>
  }
  /** Our name servers and the world's DNS (modules/dns). */
  dns: {
    /** Where challenges are answered that owners have pointed here. */
    challenges?: { zoneOf(domain: string): string } | undefined
    isServed(zone: { domain: string; version: number }): Promise<boolean>
    /** The same for each of our name servers. */
    seeServed(zone: { domain: string; version: number }): Promise<{ isServed: boolean; answered: boolean }[]>
    /** Whether CAA records forbid our authority to issue for one of `names`, proven so, to this account. */
    forbidsIssuer(order: {
      names: readonly string[]
      method: ChallengeKind
      accountUri: string | undefined
    }): Promise<boolean>
  }
}
