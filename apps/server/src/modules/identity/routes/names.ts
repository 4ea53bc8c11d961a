/** Registering DIDs and names: answers `{code, message, data}` with code 0 for success (wire, "Identity service"). */
import { dottedName, JwsBody } from '@atoll/contract'
import { didOfKeyId } from '@atoll/did'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { localeOfRequest } from '../../../http/answers.ts'
import { readParameters } from '../../../http/bad-parameter.ts'
import { refuse } from '../../../http/refusal.ts'
import { bindName, type JwsRequest, type NameServiceDeps, registerDid } from '../name-service.ts'
import { findNameOf } from '../name-store.ts'

function success(data?: unknown): { code: 0; message: string; data?: unknown } {
  return { code: 0, message: 'success', ...(data !== undefined && { data }) }
}

/** `POST /create_local`, `POST /bind_name`, `GET /name_domains`, `GET /get_name_by_did/{did}`. */
export function nameRoutes(fastify: FastifyInstance, deps: NameServiceDeps): void {
  fastify.post('/create_local', async (request) => {
    await registerDid(deps, readRequest(request))
    return success()
  })

  fastify.post('/bind_name', async (request) => success(dottedName(await bindName(deps, readRequest(request)))))

  fastify.get('/name_domains', async () => success(deps.config.nameDomains))

  fastify.get('/get_name_by_did/*', async (request) => {
    const did = didOfKeyId((request.params as { '*': string })['*']) // the route ends with a wildcard
    if (did === undefined) refuse('didMalformed')
    const name = await findNameOf(deps.db, did)
    if (name === null) refuse('nameUnknown')
    return success(dottedName(name))
  })
}

function readRequest(request: FastifyRequest): JwsRequest {
  const locale = localeOfRequest(request)
  return { jws: readParameters(JwsBody, request.body ?? {}, locale).jws, locale }
}
