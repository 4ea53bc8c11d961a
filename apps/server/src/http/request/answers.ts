/** Responses: the envelope (wire, "Envelope"), and how errors become one. */
import { codes, type Locale } from '@atoll/contract/wire'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isNoAnswer } from '../../platform/db/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import { bodyLimit } from './body.ts'
import { localeOf } from './locale.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the envelope that was answered; 0 for an answer without one. For logs and metrics. */
    answerCode: number
    /** The id of the account that asked, once that is known. For logs. */
    account: string | undefined
  }
}

/**
 * Answers of these paths are HTTP 200 whatever their code: existing clients take anything else for a broken network.
 */
const productPath = /^\/v\d+\//

export function success(data: unknown): { code: number; message: string; data: unknown } {
  return { code: codes.ok, message: 'success', data }
}

export function isProductPath(path: string): boolean {
  return productPath.test(path)
}

/** The path without its query, which may hold what should not be logged or compared. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? request.url
}

export function localeOfRequest(request: FastifyRequest): Locale {
  return localeOf(request.headers['accept-language'])
}

/** Turns every error under `app` into an envelope; unexpected ones are logged once, here, and sent without detail. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof Refusal) return sendRefusal(error, request, reply)
    return answerError(error, request, reply)
  })
}

/** Answers an error that is not a refusal; also for requests that Fastify gives up before routing. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalFor(error, request)
  if (refusal.key === 'serverError') request.log.error({ err: error, account: request.account }, 'a request failed')
  if (refusal.key === 'busy') request.log.error({ err: error, account: request.account }, 'the database did not answer')
  return sendRefusal(refusal, request, reply, refusal.key === 'busy' ? 503 : (error.statusCode ?? 500))
}

/**
 * Answers with a refusal. A refusal is an answer, so it is HTTP 200 for the product API and the identity service;
 * `status` is what any other path says for errors of HTTP itself. Too many requests of what is no call are 429 of HTTP.
 */
export function sendRefusal(
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  status = 200,
): FastifyReply {
  if (refusal.code === codes.tooManyRequests && !request.routeOptions.config.isCall) {
    return sendEnvelope(refusal, request, reply, codes.tooManyRequests)
  }
  return sendEnvelope(refusal, request, reply, isProductPath(pathOf(request)) ? 200 : status)
}

/** The same with this very HTTP status, whatever the path. */
export function sendEnvelope(
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
): FastifyReply {
  request.answerCode = refusal.code
  reply.status(status).header('cache-control', 'no-store')
  const { code, field, retryAfterSeconds } = refusal
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  return reply.send({
    code,
    message: refusal.sentence(localeOfRequest(request)),
    ...(field !== undefined && { field }),
  })
}

/** The malformed part of a request that a plugin refuses, by its status; the plugin's own message is English. */
const malformedParts: Readonly<Record<number, string>> = { 403: 'path', 405: 'method', 412: 'if-match', 416: 'range' }

/** The catalogue's entry for an error of Fastify's own, by its code. */
function refusalFor(error: FastifyError, request: FastifyRequest): Refusal {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('tooLarge', { limit: request.routeOptions.bodyLimit ?? bodyLimit })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupportedType')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Refusal('requestMalformed', { what: 'content-length' })
    default:
      // The client disconnected while it sent the body: nobody receives the answer, and the server did not fail.
      if (error === request.raw.errored) return new Refusal('requestMalformed', { what: 'body' })
      if (isNoAnswer(error)) return new Refusal('busy')
      // Refusals of plugins: a range, a method, a path outside their folder.
      return isCallersFault(error)
        ? new Refusal('requestMalformed', {
            what: malformedParts[error.statusCode ?? 400] ?? `HTTP ${error.statusCode}`,
          })
        : new Refusal('serverError')
  }
}

function isCallersFault({ statusCode }: FastifyError): boolean {
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
}
