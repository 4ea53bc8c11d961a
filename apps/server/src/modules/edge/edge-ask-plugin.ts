import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'

const Asked = z.object({
  domain: z
    .string()
    .max(254)
    .transform((host) => host.toLowerCase().replace(/\.$/, ''))
    .pipe(z.string().regex(/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/)),
})

/** For a proxy that gets certificates on demand (Caddy, `on_demand_tls`): 200 for a host of a cluster, else 404. */
export function edgeAskPlugin({ hasHost }: { hasHost(host: string): Promise<boolean> }): FastifyPluginAsync {
  return async (fastify) => {
    fastify.get('/v1/edge/ask', async ({ query }, reply) => {
      const asked = Asked.safeParse(query)
      const isKnown = asked.success && (await hasHost(asked.data.domain))
      return reply
        .code(isKnown ? 200 : 404)
        .type('text/plain')
        .send(isKnown ? 'yes' : 'no')
    })
  }
}
