import type { FastifyPluginAsync } from 'fastify'
import { refuse } from '../../platform/refusal.ts'
import type { CredentialDeps } from './credential-deps.ts'
import { applicationSchema, credentialResponse, presentationDefinition, schemaNames, schemaOf } from './documents.ts'
import { signStatusList, statusListTtlMs } from './status-list.ts'
import { findAnswer } from './stores/credential-store.ts'
import { getIssuer } from './stores/issuer-key-store.ts'

const keptFor = `public, max-age=${statusListTtlMs / 1000}`
const ok = (data: object) => ({ code: 0, message: 'success', data })

/** What credentials name and wallets ask before they apply and present. Public: nobody's secret is in it. */
export function credentialsPlugin(deps: CredentialDeps): FastifyPluginAsync {
  const { db, sealer, clock, config } = deps
  return async (fastify) => {
    fastify.get('/get_application_schema/Domain', async () =>
      ok(applicationSchema(config, (await getIssuer({ db, sealer, now: clock.now() })).did)),
    )
    fastify.get('/get_presentation_definition/Domain', async () => ok(presentationDefinition(config)))

    fastify.get<{ Params: { id: string } }>('/get_application_response/:id', async ({ params }) => {
      const found = params.id.length <= 300 ? await findAnswer(db, params.id) : undefined
      // Without the credential itself: whoever applied has it.
      return ok(
        found
          ? credentialResponse(found.responseId, found.applicationId)
          : refuse('notFound', { object: 'credentialDocument' }),
      )
    })

    fastify.get<{ Params: { name: string } }>('/schemas/:name', async ({ params }, reply) => {
      const name = schemaNames.find((one) => one === params.name)
      if (!name) refuse('notFound', { object: 'credentialDocument' })
      reply.type('application/schema+json; charset=utf-8').header('cache-control', keptFor)
      return JSON.stringify(schemaOf(config, name))
    })

    fastify.get<{ Params: { list: string } }>('/credentials/status/:list', async ({ params }, reply) => {
      const list = /^[1-9]\d{0,8}$/.test(params.list) ? await signStatusList(deps, Number(params.list)) : undefined
      if (list === undefined) refuse('notFound', { object: 'credentialDocument' })
      reply.type('application/vc+jwt').header('cache-control', keptFor)
      return list
    })
  }
}
