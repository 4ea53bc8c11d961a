/** Custom domains: who may use which, and the steps from the wish to the name that is served (lifecycle/domain-state.ts). */
import type { Route } from '../../http/route.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { DomainDeps } from './domain-deps.ts'
import { domainReconcile, domainSweep } from './lifecycle/job.ts'
import { domainChanges } from './routes/domain-change.ts'
import { domainReads } from './routes/domain-read.ts'

export type { DomainDns, Look, Wanted } from './domain-deps.ts'

export interface Domains {
  routes: Route[]
  jobs: Job[]
}

export function createDomains(deps: DomainDeps): Domains {
  return {
    routes: [...domainReads(deps), ...domainChanges(deps)],
    jobs: [domainReconcile(deps), domainSweep(deps)],
  }
}
