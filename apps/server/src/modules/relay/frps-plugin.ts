/**
 * The requests of an operator's frps before it serves a client (frp's "server plugin", HTTP, version 0.1.0): `Login`
 * when a frpc connects, `NewProxy` for each proxy that it registers. An instance may register only its own: its user
 * name is its id, `metas.token` its own token, and the one proxy it gets is HTTP under its cluster's label. In
 * frps.toml:
 *
 *   [[httpPlugins]]
 *   name = "atoll"
 *   addr = "https://console.example"
 *   path = "/v1/relay/frps"
 *   ops = ["Login", "NewProxy"]
 */

import { rates } from '@atoll/contract/wire'
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { defineEndpoint } from '../../http/rates/define-endpoint.ts'
import { createComplaints } from '../../platform/complaints.ts'
import { equalSecrets } from '../../platform/crypto.ts'
import type { Log } from '../../platform/log.ts'

export const frpsPluginPath = '/v1/relay/frps'

const Metas = z.record(z.string().max(100), z.string().max(400)).nullish()
const User = z.object({ user: z.string().max(64).default(''), metas: Metas })
/** More fields come with both; what is not read is not checked. */
const Request = z.discriminatedUnion('op', [
  z.object({ op: z.literal('Login'), content: User }),
  z.object({
    op: z.literal('NewProxy'),
    content: z.object({
      user: User,
      proxy_name: z.string().max(200),
      proxy_type: z.string().max(20),
      subdomain: z.string().max(63).default(''),
      custom_domains: z.array(z.string()).nullish(),
      group: z.string().nullish(),
    }),
  }),
])

export interface FrpsPluginDeps {
  log: Log
  /** The token that frpc of this instance shows. */
  isToken(instanceId: string, shown: string): boolean
  /** The label of the self-hosted cluster whose master this is, while it may be reached through frp. */
  findLabel(instanceId: string): Promise<string | undefined>
}

type Verdict = { reject: true; reject_reason: string } | { reject: false; unchange: true }

export function frpsPlugin(deps: FrpsPluginDeps): FastifyPluginAsync {
  const complaints = createComplaints(deps.log)
  return async (app) => {
    app.addHook('onClose', async () => complaints.flush())
    app.route({
      ...defineEndpoint({
        method: 'POST',
        url: frpsPluginPath,
        rate: rates.machine,
        openBecause: 'the machine it asks about proves itself by its own token',
      }),
      handler: async (request): Promise<Verdict> => {
        const parsed = Request.safeParse(request.body)
        // Operations that nobody asked us about are not ours to allow.
        if (!parsed.success) return { reject: true, reject_reason: 'not understood' }
        const refusal = await whyNot(deps, parsed.data)
        if (refusal === undefined) return { reject: false, unchange: true }
        const { op, content } = parsed.data
        const user = op === 'Login' ? content.user : content.user.user
        complaints.warn(user, 'frps was told to refuse', { op, user, refusal })
        return { reject: true, reject_reason: refusal }
      },
    })
  }
}

/** Why the operation is refused, in words for the log of frpc; undefined when it is allowed. */
async function whyNot(
  { isToken, findLabel }: FrpsPluginDeps,
  request: z.infer<typeof Request>,
): Promise<string | undefined> {
  const { user: instanceId, metas } = request.op === 'Login' ? request.content : request.content.user
  const isInstance = /^in_[a-z0-9]{8,40}$/.test(instanceId)
  if (!isInstance || !isToken(instanceId, metas?.['token'] ?? '')) return 'unknown user or wrong token'
  const label = await findLabel(instanceId)
  if (label === undefined) return 'this machine is not to be reached through frp'
  if (request.op === 'Login') return undefined
  const { proxy_name: name, proxy_type: type, subdomain, custom_domains: domains, group } = request.content
  if (type !== 'http') return `a proxy of type ${type} is not allowed; http is`
  if (subdomain !== label || (domains ?? []).length > 0) return `only the subdomain ${label} is allowed`
  return name === `${instanceId}.web` && !group ? undefined : 'only the proxy "web", in no group, is allowed'
}
