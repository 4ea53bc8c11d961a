import { BindableName, dottedName, JwsBody } from '@atoll/contract/identity'
import { rates } from '@atoll/contract/wire'
import { type DIDResolutionResult, didOfKeyId, failedResolution, type Resolvable } from '@atoll/did'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { defineEndpoint } from '../../http/rates/define-endpoint.ts'
import { localeOfRequest } from '../../http/request/answers.ts'
import type { Db } from '../../platform/db/index.ts'
import { readParameters } from '../../platform/parameters.ts'
import { refuse } from '../../platform/refusal.ts'
import { bindName, type JwsRequest, type NameServiceDeps, registerDid } from './name-service.ts'
import { findDidOf, findNameOfDid } from './name-store.ts'

/** Longer texts are no DID that we resolve, and the resolver's own check is a regular expression. */
const longestDid = 512
/** HTTP status of each DIF error code (DID Resolution, "HTTP(S) binding"). */
const statusOf: Record<string, number> = { invalidDid: 400, notFound: 404, methodNotSupported: 501, internalError: 500 }

/**
 * The identity service's endpoints. Wallets call them from pages of any origin (`cross-origin.ts`). Answers are
 * its own envelope with code 0, or bare DIF resolution results (wire); refusals are answered by the application's error
 * handler: HTTP 200 with a code other than 0.
 */
export function identityPlugin(deps: NameServiceDeps & { resolver: Resolvable }): FastifyPluginAsync {
  const { db, config, resolver } = deps
  return async (app) => {
    app.route({
      ...defineEndpoint({
        method: 'POST',
        url: '/create_local',
        rate: rates.signIn,
        openBecause: 'the body is signed',
      }),
      handler: async (request) => {
        await registerDid(deps, readJwsRequest(request))
        return success()
      },
    })
    app.route({
      ...defineEndpoint({ method: 'POST', url: '/bind_name', rate: rates.bindName, openBecause: 'the body is signed' }),
      handler: async (request) => success(dottedName(await bindName(deps, readJwsRequest(request)))),
    })
    app.route({
      ...defineEndpoint({ method: 'GET', url: '/name_domains', openBecause: 'everybody is offered the same' }),
      handler: async () => success(config.nameDomains),
    })
    // The DID's key id does as well.
    app.route({
      ...defineEndpoint({ method: 'GET', url: '/get_name_by_did/*', openBecause: 'names are public' }),
      handler: async (request) => {
        const did = didOfKeyId(restOfPath(request))
        if (did === undefined) refuse('didMalformed')
        const name = await findNameOfDid(db, did)
        if (name === null) refuse('nameUnknown')
        return success(dottedName(name))
      },
    })
    // A did:key resolves whether it registered here or not, as its method says.
    app.route({
      ...defineEndpoint({ method: 'GET', url: '/1.0/identifiers/*', openBecause: 'DIDs are public' }),
      handler: async (request, reply) => {
        const did = restOfPath(request)
        const result = did.length > longestDid ? failedResolution('invalidDid') : await resolver.resolve(did)
        return await sendResolution(reply, result)
      },
    })
    app.route({
      ...defineEndpoint({ method: 'GET', url: '/1.0/name/*', openBecause: 'names are public' }),
      handler: async (request, reply) => {
        const did = await findDidOfDotted(db, restOfPath(request))
        return await sendResolution(reply, did === null ? failedResolution('notFound') : await resolver.resolve(did))
      },
    })
    // Only whether there is one, for a page on which a free name is no failure.
    app.route({
      ...defineEndpoint({ method: 'GET', url: '/name_taken/*', openBecause: 'names are public' }),
      handler: async (request) => success((await findDidOfDotted(db, restOfPath(request))) !== null),
    })
  }
}

function success(data?: unknown): { code: 0; message: string; data?: unknown } {
  return { code: 0, message: 'success', ...(data !== undefined && { data }) }
}

function readJwsRequest(request: FastifyRequest): JwsRequest {
  const locale = localeOfRequest(request)
  return { jws: readParameters(JwsBody, request.body ?? {}, locale).jws, locale, ip: request.ip }
}

/**
 * The part of the path that the route's final wildcard stands for, decoded. It may hold a slash, and has any length.
 */
function restOfPath(request: FastifyRequest): string {
  return (request.params as { '*': string })['*'] // given for every route that ends with a wildcard
}

async function sendResolution(reply: FastifyReply, result: DIDResolutionResult): Promise<void> {
  const { error } = result.didResolutionMetadata
  await reply.code(error === undefined ? 200 : (statusOf[error] ?? 500)).send(result)
}

/** A local part has no dot, so the first dot stands for the '@'. */
async function findDidOfDotted(db: Db, dotted: string): Promise<string | null> {
  const name = BindableName.safeParse(dotted.replace('.', '@'))
  return name.success ? await findDidOf(db, name.data) : null
}
