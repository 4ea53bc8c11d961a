import { dottedName } from '@atoll/contract/identity'
import { didOfKeyId } from '@atoll/did'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findNameOf } from '../name-store.ts'
import { restOfPath, success } from './answer.ts'

/** `GET /get_name_by_did/{did}`; the DID's key id does as well. */
export function nameFind(fastify: FastifyInstance, { db }: { db: Db }): void {
  fastify.get('/get_name_by_did/*', async (request) => {
    const did = didOfKeyId(restOfPath(request))
    if (did === undefined) refuse('didMalformed')
    const name = await findNameOf(db, did)
    if (name === null) refuse('nameUnknown')
    return success(dottedName(name))
  })
}
