import { dottedName } from '@atoll/contract/identity'
import type { FastifyInstance } from 'fastify'
import { bindName, type NameServiceDeps } from '../name-service.ts'
import { readJwsRequest, success } from './answer.ts'

/** `POST /bind_name {jws}`, and `GET /name_domains` with the domains to choose from. */
export function nameBind(fastify: FastifyInstance, deps: NameServiceDeps): void {
  fastify.post('/bind_name', async (request) => success(dottedName(await bindName(deps, readJwsRequest(request)))))
  fastify.get('/name_domains', async () => success(deps.config.nameDomains))
}
