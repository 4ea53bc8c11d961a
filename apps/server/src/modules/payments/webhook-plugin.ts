/**
 * `/pay/webhook/<gateway>`: the gateway's notifications. A webhook changes no payment here: once verified, its id is
 * stored and a job asks the gateway; so order, repeats and forgeries do not matter.
 */
import { codes, rates } from '@atoll/contract/wire'
import type { FastifyPluginAsync } from 'fastify'
import { defineEndpoint } from '../../http/rates/define-endpoint.ts'
import { countRequest } from '../../http/rates/limit-requests.ts'
import { sendRefusal } from '../../http/request/answers.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { GatewayEvent, GatewayName, PaymentGateway } from './gateway/gateway.ts'
import { insertGatewayEvent } from './gateway/gateway-event-store.ts'

export const webhookPath = (gateway: GatewayName) => `/pay/webhook/${gateway}`
/** Bytes. The largest event is a Checkout page of some 10 kB. */
const webhookLimit = 128 * 1024

export interface WebhookDeps {
  db: Db
  clock: Clock
  gateway: PaymentGateway
  /** Has a job ask the gateway. */
  askAbout(trx: Trx, about: NonNullable<GatewayEvent['about']>): Promise<void>
}

export function webhookPlugin({ db, clock, gateway, askAbout }: WebhookDeps): FastifyPluginAsync {
  return async (app) => {
    // The bytes as they came are what is signed. In this plugin's own scope: other routes parse as before.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body)
    app.route({
      ...defineEndpoint({
        method: 'POST',
        url: webhookPath(gateway.name),
        bodyLimit: webhookLimit,
        rate: rates.guess,
        isCountedByHandler: true,
        openBecause: 'the gateway signs the body',
      }),
      handler: async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const now = clock.now()
        const event = gateway.verifyWebhook({ headers: request.headers, body, now })
        // Only unsigned requests count against the rate limit.
        if (!event) {
          countRequest(request, reply)
          return sendRefusal(new Refusal('webhookUnsigned'), request, reply, codes.forbidden)
        }
        await db.transaction().execute(async (trx) => {
          const isNew = await insertGatewayEvent(trx, { gateway: gateway.name, id: event.id, received_at: now })
          if (isNew && event.about) await askAbout(trx, event.about)
        })
        return { received: true }
      },
    })
  }
}
