import type { Resolvable } from '@atoll/did'
import type { FastifyPluginAsync } from 'fastify'
import type { NameServiceDeps } from './name-service.ts'
import { nameRoutes } from './routes/names.ts'
import { resolutionRoutes } from './routes/resolution.ts'

/** How long a browser may remember that it is allowed to ask, seconds. */
const preflightSeconds = 7200

/**
 * The identity service's endpoints. Wallets call them from pages of any origin and send no credentials, so every answer
 * is open to all. Refusals are answered by the application's error handler: HTTP 200 with a code other than 0.
 */
export function identityPlugin(deps: NameServiceDeps & { resolver: Resolvable }): FastifyPluginAsync {
  return async (fastify) => {
    fastify.addHook('onRequest', async (_, reply) => {
      reply.header('access-control-allow-origin', '*')
    })
    for (const path of ['/create_local', '/bind_name', '/name_domains', '/get_name_by_did/*', '/1.0/*']) {
      fastify.options(path, (_, reply) => {
        reply
          .code(204)
          .header('access-control-allow-methods', 'GET, POST')
          .header('access-control-allow-headers', 'content-type, accept-language')
          .header('access-control-max-age', preflightSeconds)
          .send()
      })
    }
    nameRoutes(fastify, deps)
    resolutionRoutes(fastify, deps)
  }
}
