/**
 * Requests that are wrong as HTTP: Node and the router let these through, or give up on them before any hook has run.
 */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { codes } from '@atoll/contract/wire'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../platform/refusal.ts'
import { sendEnvelope } from './answers.ts'

/**
 * More than one line `Host` (RFC 9112, 3.2: answered 400). Node takes the first; a proxy before us may have taken
 * another.
 */
export function namesManyHosts({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1
}

/** Exactly one `Host`, with a port that there is; HTTP/1.0 may do without. */
function namesOneHost(req: IncomingMessage): boolean {
  if (namesManyHosts(req)) return false
  const { host } = req.headers
  if (host === undefined) return req.httpVersion === '1.0'
  const [, port] = /^(?:\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(host) ?? ['', 'none']
  return port === undefined || Number(port) <= 65_535
}

/** The path that was asked for is no text in percent encoding, as `/%E0%A4`, or has a NUL, which no database takes. */
export function isUndecodable({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): boolean {
  return !isDecodable(pathIn(originalUrl))
}

/**
 * `url` in a form that the router can read: the router itself answers a path that it cannot decode, without our headers
 * and log. Such a path keeps its percent signs as text, and `refuseMalformed` handles it.
 */
export function routableUrl(url: string): string {
  const path = pathIn(url)
  return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length)
}

/**
 * Answers two hosts, and leaves a path that cannot be decoded to the answer for what is not there; before any route.
 */
export function refuseMalformed(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    // 400 for calls too: none of our clients sends this.
    if (!namesOneHost(request.raw)) {
      return sendEnvelope(new Refusal('requestMalformed', { what: 'host' }), request, reply, 400)
    }
    if (isUndecodable(request)) {
      request.answerCode = codes.badParameter
      // No route has such a path: the usual answer for a missing one follows.
      if (request.is404) return undefined
      reply.callNotFound()
      return reply
    }
    return undefined
  })
}

/**
 * Refuses what would become a WebSocket on any path but `paths`; after the plugin for WebSockets, before any route.
 */
export function refuseUpgrades(app: FastifyInstance, paths: readonly string[]): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.ws || paths.includes(pathIn(request.url))) return undefined
    return sendEnvelope(
      new Refusal('requestMalformed', { what: 'upgrade' }),
      request,
      reply.header('connection', 'close'),
      400,
    )
  })
}

/** Statuses of what Node's parser gives up on; 400 for the rest. */
const parserStatus: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/**
 * Answers what Node's parser gives up on, before there is a request: an unknown method, heads that are too large, a
 * body framed two ways, one that does not arrive. In English: which language is asked for was not read.
 */
export function answerParserError(error: Error & { code?: string }, socket: Socket): void {
  // Cut by the other side, or in the middle of an answer.
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = parserStatus[error.code ?? ''] ?? 400
  const words = STATUS_CODES[status] ?? ''
  const refusal = new Refusal('requestMalformed', { what: status === 400 ? 'HTTP' : words.toLowerCase() })
  const body = JSON.stringify({ code: refusal.code, message: refusal.sentence('en-US') })
  const head = [
    `HTTP/1.1 ${status} ${words}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function pathIn(url: string): string {
  return url.split('?', 1)[0] ?? url
}

function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}
