import { rates } from '@atoll/contract/wire'
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { defineEndpoint } from '../../http/rates/define-endpoint.ts'

const Asked = z.object({
  domain: z
    .string()
    .max(254)
    .transform((host) => host.toLowerCase().replace(/\.$/, ''))
    .pipe(z.string().regex(/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/)),
})

export interface EdgeAskDeps {
  /** The cluster that answers at a host (lower case), and its own host: `host` itself, or what is above it. */
  findRoute(host: string): Promise<{ clusterId: string; clusterHost: string } | undefined>
  /** Labels below its own host that a cluster registers; null: its agent does not say. */
  listRegistered(clusterId: string): Promise<readonly string[] | null>
}

/**
 * For a proxy that gets certificates on demand (Caddy, `on_demand_tls`): 200 for the host of a cluster, and for names
 * below it that the cluster registers; else 404, as names that visitors invent are to cost nothing.
 */
export function edgeAskPlugin({ findRoute, listRegistered }: EdgeAskDeps): FastifyPluginAsync {
  async function isWanted(host: string): Promise<boolean> {
    const route = await findRoute(host)
    if (!route || route.clusterHost === host) return route !== undefined
    const label = host.slice(0, -route.clusterHost.length - 1)
    return (await listRegistered(route.clusterId))?.includes(label) ?? false
  }

  return async (fastify) => {
    fastify.route({
      ...defineEndpoint({
        method: 'GET',
        url: '/v1/edge/ask',
        rate: rates.machine,
        openBecause: 'a proxy asks before anybody signs in, and any visitor sees whether a host answers',
      }),
      handler: async ({ query }, reply) => {
        const asked = Asked.safeParse(query)
        const isKnown = asked.success && (await isWanted(asked.data.domain))
        return reply
          .code(isKnown ? 200 : 404)
          .type('text/plain')
          .send(isKnown ? 'yes' : 'no')
      },
    })
  }
}
