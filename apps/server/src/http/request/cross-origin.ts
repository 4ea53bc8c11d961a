import { type Call, lookHeader } from '@atoll/contract/wire'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pathOf } from './answers.ts'

/** The identity service, which wallets of any origin use. It takes no credentials: what it accepts is signed. */
const identityPath =
  /^\/(1\.0\/|get_name_by_did\/|name_taken\/|create_local$|bind_name$|join_organization$|name_domains$|get_application_schema\/|get_presentation_definition\/|schemas\/|credentials\/status\/)/

/** The console's own calls, events too. */
const consolePath = /^\/(v1|v2)\//
/** Headers that the console sends in addition to those allowed for any page, and headers that it reads. */
const consoleHeaders = {
  allowedHeaders: ['content-type', 'userid', 'token', 'last-event-id', lookHeader],
  exposedHeaders: ['date', 'x-request-id', 'retry-after', 'ratelimit'],
}

export interface PageOrigins {
  /** Our own wallet, where it is and where it was. */
  wallets: readonly string[]
  /** The hosts of the console; a page of one calls the other when its reader changes the language (spec §7). */
  console: readonly string[]
}

/**
 * Lets pages of other origins make exactly those of `calls` that say so, and the console's pages all. Only this
 * deployment's own wallet may send the cookie that names its browser along.
 */
export async function allowPages(app: FastifyInstance, origins: PageOrigins, calls: readonly Call[]): Promise<void> {
  const byPath = new Map<string, Call>(calls.map((call) => [call.path, call]))
  await app.register(cors, {
    delegator: (request: FastifyRequest, decide) => {
      const path = pathOf(request)
      const call = byPath.get(path)
      const { origin = '' } = request.headers
      const common = { methods: ['GET', 'POST'], allowedHeaders: ['content-type'], maxAge: 600 }
      if (origins.wallets.includes(origin) && call?.namesBrowser) {
        return decide(null, { ...common, origin, credentials: true })
      }
      if (origins.wallets.includes(origin) && call?.origins === 'ownWallet') return decide(null, { ...common, origin })
      if (origins.console.includes(origin) && consolePath.test(path)) {
        return decide(null, { ...common, ...consoleHeaders, origin })
      }
      if (call?.origins === 'personalServers') {
        return decide(null, { ...common, allowedHeaders: ['content-type', 'userid', 'token'], origin: '*' })
      }
      const open = call?.origins === 'wallets' || identityPath.test(path)
      return decide(null, open ? { ...common, origin: '*' } : { origin: false })
    },
  })
}
