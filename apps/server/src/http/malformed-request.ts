/** Requests that are wrong as HTTP: Node and the router let these through, or give up on them before any hook has run. */
import type { IncomingMessage } from 'node:http'
import { codes } from '@atoll/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../platform/refusal.ts'
import { sendEnvelope } from './answers.ts'

/**
 * More than one line `Host` (RFC 9112, 3.2: answered 400). Node takes the first; a proxy before us may have taken
 * another.
 */
export function namesManyHosts({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1
}

/** The path that was asked for is no text in percent encoding, such as `/%E0%A4`. */
export function isUndecodable({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): boolean {
  return !isDecodable(pathIn(originalUrl))
}

/**
 * `url` as the router can read it: it answers what it cannot decode by itself, without our headers and log. Such a path
 * keeps its percent signs as text, and `refuseMalformed` sees to it.
 */
export function routableUrl(url: string): string {
  const path = pathIn(url)
  return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length)
}

/** Answers two hosts, and leaves a path that cannot be decoded to the answer for what is not there; before any route. */
export function refuseMalformed(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    // 400 for calls too: no client of ours sends this.
    if (namesManyHosts(request.raw)) {
      return sendEnvelope(new Refusal('requestMalformed', { what: 'host' }), request, reply, 400)
    }
    if (isUndecodable(request)) {
      request.answerCode = codes.badParameter
      // No route has such a path: the answer for what is not there comes by itself.
      if (request.is404) return undefined
      reply.callNotFound()
      return reply
    }
    return undefined
  })
}

function pathIn(url: string): string {
  return url.split('?', 1)[0] ?? url
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
