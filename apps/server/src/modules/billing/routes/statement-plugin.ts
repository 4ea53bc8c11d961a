import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { statementKeyPath, statementPath, verifierPaths } from '@atoll/contract/billing'
import { codes, rates } from '@atoll/contract/wire'
import type { FastifyPluginAsync } from 'fastify'
import { distOf } from '../../../http/pages/spa.ts'
import { defineEndpoint } from '../../../http/rates/define-endpoint.ts'
import type { Authenticate } from '../../../http/request/authenticate-request.ts'
import { authenticateRequest } from '../../../http/request/authenticate-request.ts'
import { buildStatement, type StatementDeps } from '../views/statement/build-statement.ts'
import { ensureStatementKeys } from '../views/statement/statement-key-store.ts'
import { packVerifier, withKeys } from '../views/statement/statement-verifier.ts'

export interface StatementPluginDeps extends StatementDeps {
  authenticate: Authenticate
  /** The program that checks statements, as `npm run build` leaves it; left out, beside the console's pages. */
  verifier?: string
}

/**
 * `GET /v1/bill/statement`: a file that the caller can check offline. For everybody: the keys that sign such files, and
 * the program that checks them, with these keys in it.
 */
export function statementPlugin(deps: StatementPluginDeps): FastifyPluginAsync {
  const { db, clock, sealer, config } = deps
  const built = deps.verifier ?? join(distOf('console'), verifierPaths.file)
  const listKeys = () => ensureStatementKeys({ db, sealer, now: clock.now() })
  /** Undefined while it is not built. */
  const readVerifier = async () => {
    const program = await readFile(built, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    return program === undefined ? undefined : withKeys(program, await listKeys(), config.publicUrl)
  }
  return async (app) => {
    app.route({
      ...defineEndpoint({ method: 'GET', url: statementPath, rate: rates.costly, reach: 'account' }),
      handler: async (request, reply) => {
        const { userid } = await authenticateRequest(deps.authenticate, request, reply)
        const { seq, text } = await buildStatement(deps, userid)
        request.answerCode = codes.ok
        return reply
          .type('application/json; charset=utf-8')
          .header('content-disposition', `attachment; filename="statement-${seq}.json"`)
          .header('cache-control', 'private, no-store')
          .send(text)
      },
    })
    app.route({
      ...defineEndpoint({ method: 'GET', url: statementKeyPath, openBecause: 'the keys are public' }),
      handler: async (_request, reply) => {
        const [publicKey, ...pastKeys] = await listKeys()
        return reply.header('cache-control', 'no-cache').send({ algorithm: 'Ed25519', publicKey, pastKeys })
      },
    })
    app.route({
      ...defineEndpoint({
        method: 'GET',
        url: verifierPaths.file,
        openBecause: 'the program is for everybody, with public keys',
      }),
      handler: async (_request, reply) => {
        const program = await readVerifier()
        if (program === undefined) return reply.callNotFound()
        return reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(program)
      },
    })
    app.route({
      ...defineEndpoint({
        method: 'GET',
        url: verifierPaths.package,
        openBecause: 'the program is for everybody, with public keys',
      }),
      handler: async (_request, reply) => {
        const program = await readVerifier()
        if (program === undefined) return reply.callNotFound()
        return reply.type('application/gzip').header('cache-control', 'no-cache').send(packVerifier(program))
      },
    })
  }
}
