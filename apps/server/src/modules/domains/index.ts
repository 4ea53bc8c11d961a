/**
 * Custom domains: who may use which, and the steps from the claim to the name that is served
 * (records/domain-state.ts).
 */

import type { FastifyPluginAsync } from 'fastify'
import type { Route } from '../../http/route.ts'
import type { Trx } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import { findAccountOfDid } from '../accounts/index.ts'
import type { DomainDeps } from './domain-deps.ts'
import { nameHosts } from './hosts/cluster-hosts.ts'
import { hostSweep } from './hosts/host-sweep.ts'
import { createServedDomains, type ServedDomains } from './hosts/served-domains.ts'
import { endDomains } from './lifecycle/end-claim.ts'
import { domainReconcile, domainSweep } from './lifecycle/job.ts'
import { joinPlugin } from './members/join-plugin.ts'
import { domainChanges } from './routes/domain-change.ts'
import { domainReads } from './routes/domain-read.ts'
import { memberRoutes } from './routes/member-routes.ts'
import { transferRoutes } from './routes/transfer-routes.ts'
import { credentialRenewals } from './wallet/credential-renewals.ts'
import { onNameTaken } from './wallet/wallet-service.ts'

export type { LookupResult } from './domain-deps.ts'
export { nameHosts } from './hosts/cluster-hosts.ts'
export { createServedDomains } from './hosts/served-domains.ts'
export { recordRevocation, releaseDomain } from './lifecycle/end-claim.ts'
export { createNotifyPerson } from './notify-person.ts'
export { listDomains } from './records/domain-store.ts'
export { findCustomHost, listAllHosts, listHostsOf } from './records/host-store.ts'
export { domainKeyMoves } from './records/key-moves.ts'
export { membersUnder } from './records/member-store.ts'
export { listOwnRecords } from './records/own-record-store.ts'
export { domainTimes } from './stored-times.ts'
export { mayTakeName } from './wallet/wallet-service.ts'

export interface Domains extends ServedDomains {
  routes: Route[]
  /** Endpoints for wallets, without signing in. */
  plugin: FastifyPluginAsync
  /** The account took `name`: its domain is in use, its other claims end. `trx` holds the names' lock. */
  onNameTaken(trx: Trx, taken: { did: string; name: string }): Promise<void>
  /** The account has an ID now, or another cluster: gives its clusters their hosts. Safe to repeat. */
  nameHosts(trx: Trx, owner: string): Promise<void>
  /** Ends all claims of an account that ends; `trx` takes the names' lock first of all. */
  endOf(trx: Trx, owner: string): Promise<void>
  jobs: Job[]
}

export function createDomains(deps: DomainDeps): Domains {
  return {
    routes: [...domainReads(deps), ...domainChanges(deps), ...memberRoutes(deps), ...transferRoutes(deps)],
    plugin: joinPlugin(deps),
    async onNameTaken(trx, taken) {
      await onNameTaken(deps, trx, taken)
      const userid = await findAccountOfDid(trx, taken.did)
      if (userid !== undefined) await nameHosts(deps, trx, userid)
    },
    nameHosts: (trx, owner) => nameHosts(deps, trx, owner),
    endOf: (trx, owner) => endDomains(deps, trx, owner),
    ...createServedDomains(deps),
    jobs: [domainReconcile(deps), domainSweep(deps), hostSweep(deps), credentialRenewals(deps)],
  }
}
