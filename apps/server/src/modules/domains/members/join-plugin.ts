import { JwsBody } from '@atoll/contract/identity'
import { rates } from '@atoll/contract/wire'
import type { FastifyPluginAsync } from 'fastify'
import { defineEndpoint } from '../../../http/rates/define-endpoint.ts'
import { localeOfRequest } from '../../../http/request/answers.ts'
import { readParameters } from '../../../platform/parameters.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { joinDomain } from './join.ts'

/**
 * `POST /join_organization {jws}`: as wallets join, without signing in. They bring no email, so the one-time password
 * alone counts. Answers in the envelope of the identity service, where 0 is success.
 */
export function joinPlugin(deps: DomainDeps): FastifyPluginAsync {
  return async (fastify) => {
    fastify.route({
      ...defineEndpoint({
        method: 'POST',
        url: '/join_organization',
        rate: rates.join,
        openBecause: 'the body is signed',
      }),
      handler: async (request) => {
        const locale = localeOfRequest(request)
        const { jws } = readParameters(JwsBody, request.body ?? {}, locale)
        const name = await joinDomain(deps, { jws, locale, ip: request.ip })
        return { code: 0, message: 'success', data: { terminus_name: name } }
      },
    })
  }
}
