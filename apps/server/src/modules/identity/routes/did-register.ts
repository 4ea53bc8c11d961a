import type { FastifyInstance } from 'fastify'
import { type NameServiceDeps, registerDid } from '../name-service.ts'
import { readJwsRequest, success } from './answer.ts'

/** `POST /create_local {jws}` */
export function didRegister(fastify: FastifyInstance, deps: NameServiceDeps): void {
  fastify.post('/create_local', async (request) => {
    await registerDid(deps, readJwsRequest(request))
    return success()
  })
}
