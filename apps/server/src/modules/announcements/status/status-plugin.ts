import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { defineEndpoint } from '../../../http/rates/define-endpoint.ts'
import { localeOfRequest, pathOf, sendRefusal } from '../../../http/request/answers.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { StatusAnswers } from './answer-status-page.ts'

const openBecause = 'it says whether the service works, to everybody'

/** `/status`, its feed and its font, where the api is asked. */
export function statusPlugin(answers: StatusAnswers): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onReady', () => answers.open())
    app.addHook('onClose', () => answers.close())
    app.route({ ...defineEndpoint({ method: 'GET', url: '/status', openBecause }), handler })
    app.route({ ...defineEndpoint({ method: 'GET', url: '/status/:file', openBecause }), handler })
    async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const found = answers.answer(request.url, localeOfRequest(request))
      if (!found) return sendRefusal(new Refusal('addressUnknown', { path: pathOf(request) }), request, reply, 404)
      return reply.headers(found.headers).send(found.body)
    }
  }
}
