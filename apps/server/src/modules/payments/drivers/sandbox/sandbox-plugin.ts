/**
 * `/pay/sandbox/…`: the sandbox's hosted pages. Their URL carries a proof made with the deployment's key, which no
 * other site has; a form sent from another site is refused as well. They redirect only to our own console, to the URL
 * stored when the page was opened. The entered data is neither stored, logged nor sent back.
 */
import { codes, rates } from '@atoll/contract/wire'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { fontHeaders } from '../../../../http/pages/product-fonts.ts'
import { defineEndpoint } from '../../../../http/rates/define-endpoint.ts'
import { pathOf, sendRefusal } from '../../../../http/request/answers.ts'
import type { Clock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/crypto.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import { readCardForm } from './card-form.ts'
import { type SandboxPage, sandboxPath } from './sandbox-address.ts'
import { enqueueEvent } from './sandbox-events.ts'
import { isLate } from './sandbox-gateway.ts'
import { type CardPage, cardPage, confirmPage, endedPage, pageFonts } from './sandbox-page.ts'
import {
  amountOf,
  endSetup,
  findCard,
  findPayment,
  findSetup,
  insertCard,
  lockPayment,
  updatePayment,
} from './sandbox-store.ts'

export interface SandboxPageDeps {
  db: Db
  clock: Clock
  product: string
  isProof(page: SandboxPage, id: string, proof: string): boolean
  /** Names a number, the same each time; nobody can tell the number by it. */
  fingerprintOf(number: string): string
}

interface Params {
  Params: { id: string; proof: string }
}
/** Typed fields are few and short. */
const formLimit = 2048
const policy =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; style-src 'unsafe-inline'; font-src 'self'"

export function sandboxPlugin(deps: SandboxPageDeps): FastifyPluginAsync {
  const { db, clock, product } = deps
  const path = (page: SandboxPage) => `${sandboxPath}/${page}/:id/:proof`
  return async (app: FastifyInstance) => {
    app.route<{ Params: { file: string } }>({
      ...defineEndpoint({ method: 'GET', url: `${sandboxPath}/fonts/:file`, openBecause: 'fonts are public' }),
      handler: async (request, reply) => {
        const font = pageFonts.find(({ file }) => file === request.params.file)
        return font ? reply.headers(fontHeaders).send(font.bytes) : sendMissing(request, reply)
      },
    })

    app.route<Params>({
      ...defineEndpoint({ method: 'GET', url: path('card'), openBecause: 'the address carries a proof' }),
      handler: async (request, reply) => {
        const setup = await findOpen(request)
        if (!setup) return sendMissing(request, reply)
        return sendPage(reply, setup.isOpen ? cardPage(setup.frame) : endedPage(setup.frame))
      },
    })
    app.route<Params>({
      ...defineEndpoint({
        method: 'POST',
        url: path('card'),
        bodyLimit: formLimit,
        rate: rates.costly,
        openBecause: 'the address carries a proof',
      }),
      handler: async (request, reply) => {
        const setup = isFromOurPage(request) ? await findOpen(request) : undefined
        if (!setup) return sendMissing(request, reply)
        if (!setup.isOpen) return sendPage(reply, endedPage(setup.frame))
        const again = (said: Partial<CardPage>) => sendPage(reply.status(422), cardPage({ ...setup.frame, ...said }))
        const entered = readCardForm(fieldsOf(request), clock.now())
        if ('faults' in entered) return again({ faults: entered.faults })
        const { test, last4, expMonth, expYear } = entered.card
        const { adding, brand } = test
        if ('declined' in adding) return again({ declined: adding.declined })
        await db.transaction().execute(async (trx) => {
          const card = { id: newId('sb'), customer: setup.row.customer, brand, last4, charging: adding.charging }
          if (!(await endSetup(trx, { setupId: setup.row.setup_id, state: 'done', cardId: card.id }))) return
          await insertCard(trx, {
            ...card,
            exp_month: expMonth,
            exp_year: expYear,
            fingerprint: deps.fingerprintOf(test.number),
          })
          await enqueueEvent(trx, { kind: 'setup', id: setup.row.setup_id })
        })
        return reply.redirect(setup.row.return_url, 303)
      },
    })

    app.route<Params>({
      ...defineEndpoint({ method: 'GET', url: path('confirm'), openBecause: 'the address carries a proof' }),
      handler: async (request, reply) => {
        const asked = await findAsked(request)
        if (!asked) return sendMissing(request, reply)
        const { row, frame, isOpen } = asked
        const card = await findCard(db, row.card_id)
        if (!isOpen || !card) return sendPage(reply, endedPage(frame))
        return sendPage(reply, confirmPage({ ...frame, amount: amountOf(row), description: row.description, card }))
      },
    })
    app.route<Params>({
      ...defineEndpoint({
        method: 'POST',
        url: path('confirm'),
        bodyLimit: formLimit,
        rate: rates.costly,
        openBecause: 'the address carries a proof',
      }),
      handler: async (request, reply) => {
        const asked = isFromOurPage(request) ? await findAsked(request) : undefined
        const { verdict } = fieldsOf(request)
        if (!asked || (verdict !== 'confirm' && verdict !== 'refuse')) return sendMissing(request, reply)
        const isAnswered = await db.transaction().execute(async (trx) => {
          const payment = await lockPayment(trx, asked.row.payment_id)
          if (payment?.state !== 'action' || isLate(payment, clock)) return false
          const refused = { state: 'declined', code: 'cardConfirmationFailed' } as const
          await updatePayment(trx, payment.payment_id, verdict === 'confirm' ? { state: 'done' } : refused)
          await enqueueEvent(trx, { kind: 'payment', id: payment.payment_id })
          return true
        })
        return isAnswered ? reply.redirect(asked.row.return_url, 303) : sendPage(reply, endedPage(asked.frame))
      },
    })
  }

  async function findOpen({ params: { id, proof } }: FastifyRequest<Params>) {
    const row = deps.isProof('card', id, proof) ? await findSetup(db, id) : undefined
    const isOpen = row?.state === 'open' && row.expires_at.getTime() > clock.now().getTime()
    return row && { row, isOpen, frame: { locale: row.locale, product, returnUrl: row.return_url } }
  }

  async function findAsked({ params: { id, proof } }: FastifyRequest<Params>) {
    const row = deps.isProof('confirm', id, proof) ? await findPayment(db, id) : undefined
    const isOpen = row?.state === 'action' && !isLate(row, clock)
    return row && { row, isOpen, frame: { locale: row.locale, product, returnUrl: row.return_url } }
  }
}

/** Browsers say where a form was sent from; the proof in the address keeps others out where they do not. */
function isFromOurPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin'
}

function fieldsOf({ body }: FastifyRequest): Record<string, unknown> {
  return (body ?? {}) as Record<string, unknown> // our parsers give an object or, without a body, nothing
}

function sendMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendRefusal(
    new Refusal('addressUnknown', { path: pathOf(request).split('/', 4).join('/') }),
    request,
    reply,
    codes.notFound,
  )
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy)
    .send(html)
}
