/** Domains as HTTPS needs them. */
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { isAliased, renewZone, wantedPointing, type ZoneDeps } from '../lifecycle/awaited.ts'
import type { DomainNews } from '../notify-person.ts'
import { findDomain, lockDomain } from '../records/domain-store.ts'
import { findHostAccount } from '../records/host-store.ts'

export interface ServedDomains {
  /** The facts about a domain that HTTPS needs; undefined: it is gone. */
  findServed(
    db: Db,
    number: number,
  ): Promise<{ name: string; isLost: boolean; isDelegated: boolean; isAliased: boolean } | undefined>
  /** The account whose clusters use a name, with or without `*.`; the domain's owner where none does. */
  findAccount(db: Db, number: number, name: string): Promise<string | undefined>
  /** Whether its records lead here now, in the way it is set to; undefined: nobody answered, or it is gone. */
  pointsHere(number: number): Promise<boolean | undefined>
  /** Mails the owner of a domain; nobody where it is gone. */
  notifyOwner(trx: Trx, number: number, news: DomainNews): Promise<void>
  /**
   * Runs `write` under the domain's row, has its zone follow and notifies its owner; gives the zone's version where we
   * serve one. Undefined: the domain is gone, and nothing was run.
   */
  rewrite(trx: Trx, number: number, write: () => Promise<void>): Promise<{ zoneVersion: number | null } | undefined>
}

export function createServedDomains(deps: ZoneDeps & Pick<DomainDeps, 'db' | 'notify'>): ServedDomains {
  return {
    async findServed(db, number) {
      const row = await findDomain(db, number)
      if (!row) return undefined
      // While it is moved the former way still holds.
      const isDelegated = (row.method === 'ns') !== (row.problem === 'methodWaits')
      const isLost = row.problem === 'delegationLost' || row.problem === 'noNameServers'
      return { name: row.name, isLost, isDelegated, isAliased: isAliased(row) }
    },
    async findAccount(db, number, name) {
      const row = await findDomain(db, number)
      if (!row) return undefined
      const host = name.replace(/^\*\./, '')
      return (host === row.name ? undefined : await findHostAccount(db, row, host)) ?? row.userid
    },
    async pointsHere(number) {
      const row = await findDomain(deps.db, number)
      if (!row) return undefined
      const { passed, answered } = await deps.dns.lookUp({ domain: row.name, want: wantedPointing(deps, row) })
      return passed || (answered ? false : undefined)
    },
    async notifyOwner(trx, number, news) {
      const row = await findDomain(trx, number)
      if (row) await deps.notify(trx, row.userid, news)
    },
    async rewrite(trx, number, write) {
      const row = await lockDomain(trx, number)
      if (!row) return undefined
      await write()
      const zoneVersion = await renewZone(deps, trx, row)
      await publishChange(trx, { account: row.userid, topic: 'domain', id: String(number) })
      return { zoneVersion }
    },
  }
}
