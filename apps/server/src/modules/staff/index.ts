/** The operator's area: who has a staff role, and what they read and do there (issue 33). */
import type { Route } from '../../http/route.ts'
import type { Db } from '../../platform/db/index.ts'
import { memberRoutes } from './routes/member-routes.ts'

export interface Staff {
  routes: Route[]
}

export function createStaff(deps: { db: Db }): Staff {
  return { routes: memberRoutes(deps) }
}
