/** Bare DIF resolution results, without our envelope (wire, "Identity service"). */
import { type DIDResolutionResult, failedResolution, type Resolvable } from '@atoll/did'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../../platform/db/index.ts'
import { findDidOf } from '../name-store.ts'

/** HTTP status of each DIF error code (DID Resolution, "HTTP(S) binding"). */
const statusOf: Record<string, number> = {
  invalidDid: 400,
  notFound: 404,
  methodNotSupported: 501,
  internalError: 500,
}

/** Longer texts are no DID and no name of ours; the resolver's own check is a regular expression. */
const longest = 512

/** `GET /1.0/identifiers/{did}` and `GET /1.0/name/{name.example.com}`. */
export function resolutionRoutes(fastify: FastifyInstance, deps: { db: Db; resolver: Resolvable }): void {
  fastify.get('/1.0/identifiers/*', async (request, reply) => {
    const did = restOfPath(request)
    const result = did.length > longest ? failedResolution('invalidDid') : await deps.resolver.resolve(did)
    return await answer(reply, result)
  })

  fastify.get('/1.0/name/*', async (request, reply) => {
    const did = await findDidOfDotted(deps.db, restOfPath(request))
    return await answer(reply, did === null ? failedResolution('notFound') : await deps.resolver.resolve(did))
  })
}

/** The wildcard's part of the path, decoded. Unlike a named parameter it has no length limit and may hold a slash. */
function restOfPath(request: FastifyRequest): string {
  return (request.params as { '*': string })['*'] // both routes end with a wildcard
}

/** A local part has no dot, so the first dot stands for the '@'. */
async function findDidOfDotted(db: Db, dotted: string): Promise<string | null> {
  const name = dotted.replace('.', '@')
  return /^[a-z0-9]+@[a-z0-9.-]+$/.test(name) && name.length <= longest ? await findDidOf(db, name) : null
}

async function answer(reply: FastifyReply, result: DIDResolutionResult): Promise<void> {
  const { error } = result.didResolutionMetadata
  await reply.code(error === undefined ? 200 : (statusOf[error] ?? 500)).send(result)
}
