import type { Resolvable } from '@atoll/did'
import type { FastifyPluginAsync } from 'fastify'
import type { NameServiceDeps } from './name-service.ts'
import { didRegister } from './routes/did-register.ts'
import { didResolve } from './routes/did-resolve.ts'
import { nameBind } from './routes/name-bind.ts'
import { nameFind } from './routes/name-find.ts'
import { nameResolve } from './routes/name-resolve.ts'

/**
 * The identity service's endpoints. Wallets call them from pages of any origin (`http/cross-origin.ts`). Refusals are
 * answered by the application's error handler: HTTP 200 with a code other than 0.
 */
export function identityPlugin(deps: NameServiceDeps & { resolver: Resolvable }): FastifyPluginAsync {
  return async (fastify) => {
    for (const mount of [didRegister, nameBind, nameFind, didResolve, nameResolve]) mount(fastify, deps)
  }
}
