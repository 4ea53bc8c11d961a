/**
 * `/unsubscribe/{token}`: ends one optional kind of mail. Mail programs POST there automatically (RFC 8058), without a
 * session; a person who opens it is asked first, because security scanners open every link of a mail.
 */
import { rates } from '@atoll/contract/wire'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { defineEndpoint } from '../../../http/rates/define-endpoint.ts'
import { localeOfRequest, pathOf, sendRefusal } from '../../../http/request/answers.ts'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { readUnsubscribeToken, unsubscribePath } from '../../mail/index.ts'
import { changeMailChoice } from '../account-service.ts'
import { findAccountOfDid } from '../stores/account-store.ts'
import { unsubscribePage } from './unsubscribe-page.ts'

/** Limit of the body that a mail program sends with its request, in bytes. */
const bodyLimit = 4096
const url = `${unsubscribePath}/:token`
const openBecause = 'whoever has the mail has the token, which can only end this kind of mail'

interface UnsubscribeDeps {
  db: Db
  sealer: Sealer
  config: { product: string; publicUrl: string }
}

export function unsubscribePlugin({ db, sealer, config }: UnsubscribeDeps): FastifyPluginAsync {
  return async (app: FastifyInstance) => {
    // RFC 8058 lets a program choose this form of the same few words, and nothing in them matters here.
    app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_, __, done) => done(null, {}))
    for (const method of ['GET', 'POST'] as const)
      app.route<{ Params: { token: string } }>({
        ...(method === 'GET'
          ? defineEndpoint({ method, url, openBecause })
          : defineEndpoint({ method, url, openBecause, rate: rates.change, bodyLimit })),
        handler: async (request, reply) => {
          const asked = readUnsubscribeToken(sealer, request.params.token)
          if (!asked) return sendRefusal(new Refusal('addressUnknown', { path: pathOf(request) }), request, reply, 404)
          if (method === 'POST') {
            // Mails sent before named the account by its DID.
            const userid = (await findAccountOfDid(db, asked.userid)) ?? asked.userid
            await changeMailChoice(db, { ...asked, userid, isOn: false })
          }
          const page = { mail: asked.mail, isDone: method === 'POST', locale: localeOfRequest(request), ...config }
          return reply
            .type('text/html; charset=utf-8')
            .header('cache-control', 'no-store')
            .header('referrer-policy', 'no-referrer')
            .header('x-robots-tag', 'noindex')
            .header(
              'content-security-policy',
              "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
            )
            .send(unsubscribePage(page))
        },
      })
  }
}
