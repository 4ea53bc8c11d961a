/**
 * Custom domains: who may use which, and the steps from the claim to the name that is served
 * (records/domain-state.ts).
 */
import type { FastifyPluginAsync } from 'fastify'
import type { Route } from '../../http/route.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { DomainDeps } from './domain-deps.ts'
import { nameHosts } from './hosts/cluster-hosts.ts'
import { hostSweep } from './hosts/host-sweep.ts'
import { isAliased, renewZone, wantedPointing } from './lifecycle/awaited.ts'
import { domainReconcile, domainSweep } from './lifecycle/job.ts'
import { joinPlugin } from './members/join-plugin.ts'
import type { DomainNews } from './notify-person.ts'
import { findDomain, lockDomain } from './records/domain-store.ts'
import { findHostAccount } from './records/host-store.ts'
import { domainChanges } from './routes/domain-change.ts'
import { domainReads } from './routes/domain-read.ts'
import { memberRoutes } from './routes/member-routes.ts'
import { transferRoutes } from './routes/transfer-routes.ts'
import { credentialRenewals } from './wallet/credential-renewals.ts'
import { mayTakeName, onNameTaken } from './wallet/wallet-service.ts'

export type { LookupResult } from './domain-deps.ts'
export { recordRevocation, releaseDomain } from './lifecycle/end-claim.ts'
export { createNotifyPerson } from './notify-person.ts'
export { findCustomHost, listHostsOf } from './records/host-store.ts'
export { membersUnder } from './records/member-store.ts'
export { domainTimes } from './stored-times.ts'

export interface Domains {
  routes: Route[]
  /** What wallets ask without signing in. */
  plugin: FastifyPluginAsync
  /** Whether `did` may take a name under `domain`. `trx` holds the names' lock, here and below. */
  mayTakeName(trx: Trx, request: { did: string; domain: string }): Promise<boolean>
  /** The account took `name`: its domain is in use, its other claims end. */
  onNameTaken(trx: Trx, taken: { did: string; name: string }): Promise<void>
  /** The account has an ID now, or another cluster: gives its clusters their hosts. Safe to repeat. */
  nameHosts(trx: Trx, owner: string): Promise<void>
  /** What HTTPS needs of a domain; undefined: it is gone. */
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
  jobs: Job[]
}

export function createDomains(deps: DomainDeps): Domains {
  return {
    routes: [...domainReads(deps), ...domainChanges(deps), ...memberRoutes(deps), ...transferRoutes(deps)],
    plugin: joinPlugin(deps),
    mayTakeName,
    async onNameTaken(trx, taken) {
      await onNameTaken(deps, trx, taken)
      await nameHosts(deps, trx, taken.did)
    },
    nameHosts: (trx, owner) => nameHosts(deps, trx, owner),
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
    jobs: [domainReconcile(deps), domainSweep(deps), hostSweep(deps), credentialRenewals(deps)],
  }
}
