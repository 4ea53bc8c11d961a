import { BindableName } from '@atoll/contract/identity'
import { failedResolution, type Resolvable } from '@atoll/did'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../platform/db/index.ts'
import { findDidOf } from '../name-store.ts'
import { restOfPath, sendResolution, success } from './answer.ts'

/**
 * `GET /1.0/name/{name.example.com}`: the document of the DID that the name is bound to. `GET
 * /name_taken/{name.example.com}`: only whether there is one, for a page on which a free name is no failure.
 */
export function nameResolve(fastify: FastifyInstance, { db, resolver }: { db: Db; resolver: Resolvable }): void {
  fastify.get('/1.0/name/*', async (request, reply) => {
    const did = await findDidOfDotted(db, restOfPath(request))
    return await sendResolution(reply, did === null ? failedResolution('notFound') : await resolver.resolve(did))
  })
  fastify.get('/name_taken/*', async (request) => success((await findDidOfDotted(db, restOfPath(request))) !== null))
}

/** A local part has no dot, so the first dot stands for the '@'. */
async function findDidOfDotted(db: Db, dotted: string): Promise<string | null> {
  const name = BindableName.safeParse(dotted.replace('.', '@'))
  return name.success ? await findDidOf(db, name.data) : null
}
