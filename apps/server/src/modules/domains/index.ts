/**
 * Custom domains: who may use which, and the steps from the wish to the name that is served
 * (lifecycle/domain-state.ts).
 */
import type { Route } from '../../http/route.ts'
import type { Trx } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { DomainDeps } from './domain-deps.ts'
import { domainReconcile, domainSweep } from './lifecycle/job.ts'
import { domainChanges } from './routes/domain-change.ts'
import { domainReads } from './routes/domain-read.ts'
import { mayTakeName, onNameTaken } from './wallet-service.ts'

export type { DomainDns, Look, Wanted } from './domain-deps.ts'
export { releaseDomain } from './lifecycle/end-claim.ts'

export interface Domains {
  routes: Route[]
  /** Whether `did` may take a name under `domain`. `trx` holds the names' lock, here and below. */
  mayTakeName(trx: Trx, wish: { did: string; domain: string }): Promise<boolean>
  /** The account took `name`: its domain is in use, its other claims end. */
  onNameTaken(trx: Trx, taken: { did: string; name: string }): Promise<void>
  jobs: Job[]
}

export function createDomains(deps: DomainDeps): Domains {
  return {
    routes: [...domainReads(deps), ...domainChanges(deps)],
    mayTakeName,
    onNameTaken: (trx, taken) => onNameTaken(deps, trx, taken),
    jobs: [domainReconcile(deps), domainSweep(deps)],
  }
}
