/** A person's rights over their own data: an archive of all of it, and its end. */
import type { FastifyPluginAsync } from 'fastify'
import type { Authenticate } from '../../http/request/authenticate-request.ts'
import type { Route } from '../../http/route.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { ClosingDeps } from './closing-service.ts'
import { type ClosingsEndDeps, closingsEnd } from './jobs/closings-end.ts'
import { type ExportMakeDeps, exportMake, exportSweep } from './jobs/export-make.ts'
import { closingRoutes } from './routes/closing-routes.ts'
import { exportFilePlugin, exportRoutes } from './routes/export-routes.ts'

export { beginClosing, type ClosingDeps, findClosing, keepAccount } from './closing-service.ts'
export { eraseAgain } from './erase-again.ts'
export { describeExport } from './export-service.ts'
export { rightsKeyMoves } from './key-moves.ts'
export { openArchive } from './open-archive.ts'
export { listErased } from './stores/erasure-store.ts'
export { wasExported } from './stores/export-store.ts'

type EndDeps = Omit<ClosingDeps, 'billing'> &
  Omit<ClosingsEndDeps, 'billing' | 'listInvoices'> & { billing: ClosingDeps['billing'] & ClosingsEndDeps['billing'] }

export interface Rights {
  routes: Route[]
  plugin: FastifyPluginAsync
  jobs: Job[]
}

export function createRights(deps: ExportMakeDeps & EndDeps & { authenticate: Authenticate }): Rights {
  return {
    routes: [...exportRoutes(deps), ...closingRoutes(deps)],
    plugin: exportFilePlugin(deps),
    jobs: [exportMake(deps), exportSweep(deps), closingsEnd(deps)],
  }
}
