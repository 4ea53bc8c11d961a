import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { defineEndpoint } from '../../http/rates/define-endpoint.ts'
import { sendEnvelope } from '../../http/request/answers.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { CredentialDeps } from './credential-deps.ts'
import { applicationSchema, credentialResponse, presentationDefinition, schemaNames, schemaOf } from './documents.ts'
import { signStatusList, statusListTtlMs } from './status-list.ts'
import { findAnswer } from './stores/credential-store.ts'
import { ensureIssuer } from './stores/issuer-key-store.ts'

const keptFor = `public, max-age=${statusListTtlMs / 1000}`
const ok = (data: object) => ({ code: 0, message: 'success', data })

/** These are documents of the web, for verifiers that know no envelope: one that is not there is a 404. */
function sendMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendEnvelope(new Refusal('notFound', { object: 'credentialDocument' }), request, reply, 404)
}

/**
 * Documents that credentials refer to and that wallets fetch before they apply and present. Public: they hold no
 * secrets.
 */
export function credentialsPlugin(deps: CredentialDeps): FastifyPluginAsync {
  const { db, sealer, clock, config } = deps
  return async (fastify) => {
    fastify.route({
      ...defineEndpoint({
        method: 'GET',
        url: '/get_application_schema/Domain',
        openBecause: 'everybody is asked the same',
      }),
      handler: async () => ok(applicationSchema(config, (await ensureIssuer({ db, sealer, now: clock.now() })).did)),
    })
    fastify.route({
      ...defineEndpoint({
        method: 'GET',
        url: '/get_presentation_definition/Domain',
        openBecause: 'everybody is asked the same',
      }),
      handler: async () => ok(presentationDefinition(config)),
    })

    fastify.route<{ Params: { id: string } }>({
      ...defineEndpoint({
        method: 'GET',
        url: '/get_application_response/:id',
        openBecause: 'it gives ids of what the applicant sent, without the credential',
      }),
      handler: async (request, reply) => {
        const { id } = request.params
        const found = id.length <= 300 ? await findAnswer(db, id) : undefined
        // Without the credential itself: the applicant has it.
        return found ? ok(credentialResponse(found.responseId, found.applicationId)) : sendMissing(request, reply)
      },
    })

    fastify.route<{ Params: { name: string } }>({
      ...defineEndpoint({ method: 'GET', url: '/schemas/:name', openBecause: 'everybody is asked the same' }),
      handler: async (request, reply) => {
        const name = schemaNames.find((one) => one === request.params.name)
        if (!name) return sendMissing(request, reply)
        reply.type('application/schema+json; charset=utf-8').header('cache-control', keptFor)
        return JSON.stringify(schemaOf(config, name))
      },
    })

    fastify.route<{ Params: { list: string } }>({
      ...defineEndpoint({
        method: 'GET',
        url: '/credentials/status/:list',
        openBecause: 'any reader of a credential may ask, and a place in a list names nobody',
      }),
      handler: async (request, reply) => {
        const asked = request.params.list
        const list = /^[1-9]\d{0,8}$/.test(asked) ? await signStatusList(deps, Number(asked)) : undefined
        if (list === undefined) return sendMissing(request, reply)
        reply.type('application/vc+jwt').header('cache-control', keptFor)
        return list
      },
    })
  }
}
