import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pathOf } from './answers.ts'
import { openCalls } from './calls.ts'

const openPaths = new Set<string>(openCalls.map((call) => call.path))
/** The identity service, which wallets of any origin use. It takes no credentials: what it accepts is signed. */
const identityPath = /^\/(1\.0\/|get_name_by_did\/|create_local$|bind_name$|name_domains$)/

/** Lets pages of any origin make exactly the calls that wallets make. */
export async function allowWallets(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    delegator: (request: FastifyRequest, decide) => {
      const path = pathOf(request)
      const open = openPaths.has(path) || identityPath.test(path)
      decide(
        null,
        open
          ? { origin: '*', methods: ['GET', 'POST'], allowedHeaders: ['content-type'], maxAge: 600 }
          : { origin: false },
      )
    },
  })
}
