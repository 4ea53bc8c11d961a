import { statementKeyPath, statementPath } from '@atoll/contract/billing'
import { codes } from '@atoll/contract/wire'
import type { FastifyPluginAsync } from 'fastify'
import type { Authenticate } from '../../../http/calls.ts'
import { credentialsOf } from '../../../http/request/credentials.ts'
import { buildStatement, type StatementDeps } from '../statement/build-statement.ts'
import { statementKeyOf } from '../statement/sign-statement.ts'

/** `GET /v1/bill/statement`: what the caller can check offline; and the key that signs it, for everybody. */
export function statementPlugin(deps: StatementDeps & { authenticate: Authenticate }): FastifyPluginAsync {
  return async (app) => {
    app.get(statementPath, async (request, reply) => {
      const { userid, token } = credentialsOf(request)
      await deps.authenticate(userid, token, request.ip)
      const { seq, text } = await buildStatement(deps, userid)
      request.answerCode = codes.ok
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="statement-${seq}.json"`)
        .header('cache-control', 'private, no-store')
        .send(text)
    })
    app.get(statementKeyPath, async (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .send({ algorithm: 'Ed25519', publicKey: statementKeyOf(deps.sealer).publicKey }),
    )
  }
}
