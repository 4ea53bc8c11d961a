/**
 * `/pay/card/<setup>/<proof>`: leads to the gateway's page once a job has opened it. A browser that navigates sends no
 * session, so the address carries a proof that only this deployment can make.
 */

import { codes } from '@atoll/contract/wire'
import { errorMessage } from '@atoll/texts/refusals'
import type { FastifyPluginAsync } from 'fastify'
import { defineEndpoint } from '../../../http/rates/define-endpoint.ts'
import { localeOfRequest, sendRefusal } from '../../../http/request/answers.ts'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { awaitChange, type ChangeFeed } from '../../../platform/events/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findCardSetup } from './setup-store.ts'

const waitMs = 10_000

export interface CardPageDeps {
  db: Db
  feed: ChangeFeed
  sealer: Sealer
}

export function cardPageAddress(sealer: Sealer, origin: string, setupId: string): string {
  return `${origin}/pay/card/${setupId}/${proofOf(sealer, setupId)}`
}

export function cardPagePlugin({ db, feed, sealer }: CardPageDeps): FastifyPluginAsync {
  return async (app) => {
    app.route<{ Params: { id: string; proof: string } }>({
      ...defineEndpoint({ method: 'GET', url: '/pay/card/:id/:proof', openBecause: 'the address carries a proof' }),
      handler: async (request, reply) => {
        const { id, proof } = request.params
        const asked = sealer.accepts('card page', id, proof) ? await findCardSetup(db, id) : undefined
        if (!asked)
          return sendRefusal(new Refusal('addressUnknown', { path: '/pay/card' }), request, reply, codes.notFound)
        const opened = await awaitChange(feed, asked.userid, waitMs, async () => {
          const setup = await findCardSetup(db, id)
          return setup?.state === 'asked' ? undefined : setup
        })
        reply.header('cache-control', 'no-store')
        // Ended pages lead back to where they were opened.
        if (opened) return reply.redirect(opened.url ?? opened.return_url, 303)
        // The browser reloads the page automatically.
        return reply
          .status(503)
          .header('refresh', '3')
          .type('text/plain')
          .send(errorMessage('busy', localeOfRequest(request)))
      },
    })
  }
}

function proofOf(sealer: Sealer, setupId: string): string {
  return sealer.derive('card page', setupId)
}
