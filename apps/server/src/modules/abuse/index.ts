/** The abuse desk: who had a host or an address at a time, and reports with what came of them. */
import type { Route } from '../../http/route.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import { addressesNote } from './addresses-note.ts'
import { abuseRoutes } from './routes/abuse-routes.ts'

export { holderOf } from './address-store.ts'
export { findOpenReports } from './report-store.ts'

export interface Abuse {
  routes: Route[]
  jobs: Job[]
}

export function createAbuse(deps: { db: Db; clock: Clock; config: { edgeDomain: string } }): Abuse {
  return { routes: abuseRoutes(deps), jobs: [addressesNote(deps)] }
}
