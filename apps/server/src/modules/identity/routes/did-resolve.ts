import { failedResolution, type Resolvable } from '@atoll/did'
import type { FastifyInstance } from 'fastify'
import { restOfPath, sendResolution } from './answer.ts'

/** Longer texts are no DID of ours, and the resolver's own check is a regular expression. */
const longest = 512

/** `GET /1.0/identifiers/{did}`: a did:key resolves whether it registered here or not, as its method says. */
export function didResolve(fastify: FastifyInstance, { resolver }: { resolver: Resolvable }): void {
  fastify.get('/1.0/identifiers/*', async (request, reply) => {
    const did = restOfPath(request)
    const result = did.length > longest ? failedResolution('invalidDid') : await resolver.resolve(did)
    return await sendResolution(reply, result)
  })
}
