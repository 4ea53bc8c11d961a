import type { Resolvable } from '@atoll/did'
import type { FastifyPluginAsync } from 'fastify'
import type { NameServiceDeps } from './name-service.ts'
import { nameRoutes } from './routes/names.ts'
import { resolutionRoutes } from './routes/resolution.ts'

/**
 * The identity service's endpoints. Wallets call them from pages of any origin (`http/cross-origin.ts`). Refusals are
 * answered by the application's error handler: HTTP 200 with a code other than 0.
 */
export function identityPlugin(deps: NameServiceDeps & { resolver: Resolvable }): FastifyPluginAsync {
  return async (fastify) => {
    nameRoutes(fastify, deps)
    resolutionRoutes(fastify, deps)
  }
}
