import type { Route } from '../../../http/route.ts'
import type { LookDeps } from '../customers/customer-look.ts'
import type { SystemDeps } from '../system/system-view.ts'
import { type CapacityRouteDeps, capacityRoutes } from './capacity-routes.ts'
import { type CatalogRouteDeps, catalogRoutes } from './catalog-routes.ts'
import { systemRoutes } from './system-routes.ts'

export type DeploymentDeps = SystemDeps & Pick<LookDeps, 'config'> & CatalogRouteDeps & CapacityRouteDeps

/** Calls about the deployment itself, which has no owner. */
export function deploymentRoutes(deps: DeploymentDeps): Route[] {
  return [...systemRoutes(deps), ...catalogRoutes(deps), ...capacityRoutes(deps)]
}
