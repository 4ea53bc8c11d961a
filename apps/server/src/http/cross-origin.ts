import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pathOf } from './answers.ts'
import { cookieCalls, openCalls } from './calls.ts'

const openPaths = new Set<string>(openCalls.map((call) => call.path))
const cookiePaths = new Set<string>(cookieCalls.map((call) => call.path))
/** The identity service, which wallets of any origin use. It takes no credentials: what it accepts is signed. */
const identityPath = /^\/(1\.0\/|get_name_by_did\/|name_taken\/|create_local$|bind_name$|name_domains$)/

/**
 * Lets pages of any origin make exactly the calls that wallets make. Only `walletOrigin`, our own, may send the cookie that
 * names its browser along.
 */
export async function allowWallets(app: FastifyInstance, walletOrigin: string): Promise<void> {
  await app.register(cors, {
    delegator: (request: FastifyRequest, decide) => {
      const path = pathOf(request)
      const open = openPaths.has(path) || identityPath.test(path)
      if (!open) return decide(null, { origin: false })
      const common = { methods: ['GET', 'POST'], allowedHeaders: ['content-type'], maxAge: 600 }
      const isOurs = cookiePaths.has(path) && request.headers.origin === walletOrigin
      decide(null, isOurs ? { ...common, origin: walletOrigin, credentials: true } : { ...common, origin: '*' })
    },
  })
}
