/**
 * Common to all of Atoll's HTTP servers: request ids, one log line a request, errors as envelopes, security headers.
 */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import helmet from '@fastify/helmet'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import type { Log } from '../platform/log.ts'
import type { HttpMetrics } from './operations/metrics.ts'
import { limitRequests, type RateConfig, type TakeScarce } from './rates/limit-requests.ts'
import { answerError, answerErrors, isProductPath, pathOf } from './request/answers.ts'
import { bodyLimit } from './request/body.ts'
import { answerParserError, refuseMalformed, routableUrl } from './request/malformed-request.ts'
import { refuseWrongMethods } from './request/wrong-method.ts'
import type { HttpConfig } from './settings.ts'

export interface ServerOptions {
  config: Pick<HttpConfig, 'publicUrl' | 'trustProxy'> & RateConfig
  log: Log
  metrics: HttpMetrics
  takeScarce?: TakeScarce | undefined
}

/** A request, head and body, must have arrived within this, ms. */
const requestTimeoutMs = 30_000

export async function createHttpServer({ config, log, metrics, takeScarce }: ServerOptions): Promise<FastifyInstance> {
  // Seen as Fastify's own logger type, so that plugins written for any Fastify fit.
  const loggerInstance: FastifyBaseLogger = log
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']) ?? randomUUID(),
    trustProxy: (_, hop) => hop < config.trustProxy,
    bodyLimit,
    requestTimeout: requestTimeoutMs,
    // Refused by us, in the envelope.
    http: { requireHostHeader: false },
    clientErrorHandler: answerParserError,
    // Some clients call the product API under /api (wire).
    rewriteUrl: (request) => routableUrl((request.url ?? '/').replace(/^\/api(?=\/v\d+\/)/, '')),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // Streams are ended by the shutdown's own phase.
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection while we close is answered like any other, in its envelope.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply)
    },
  })
  drainOnClose(app)
  app.decorateRequest('answerCode', 0)
  app.decorateRequest('account', undefined)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const ms = Math.round(reply.elapsedTime * 10) / 10
    metrics.observe({
      method: request.method,
      route,
      status: reply.statusCode,
      code: request.answerCode,
      seconds: ms / 1000,
    })
    // A proof in an address opens what it proves, and the identity service is asked of people; the route says enough.
    const path = /(\/:proof|.\/\*)$/.test(route) ? route : pathOf(request)
    const { method, ip: address, account } = request
    const line = { method, path, status: reply.statusCode, code: request.answerCode, ms, address, account }
    if (isProductPath(path)) request.log.info(line, 'request')
    else request.log.debug(line, 'request')
  })
  answerErrors(app)
  await app.register(helmet, {
    // Nothing but pages may load anything; pages bring their own policy (spa.ts).
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: config.publicUrl.startsWith('https:') ? { maxAge: 180 * 24 * 60 * 60 } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
  // After helmet: these answers carry its headers too.
  refuseMalformed(app)
  refuseWrongMethods(app)
  limitRequests(app, config, takeScarce)
  return app
}

/** A caller's own id is kept when it is harmless in a log. */
function requestIdFrom(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w-]{8,64}$/.test(header) ? header : undefined
}

/**
 * Lets `close` end as soon as the requests under way are answered. Closing the server drops the connections that are
 * idle at that moment; two kinds would keep it open until they time out, a minute or more:
 * one whose answer is sent later, which the client would keep for its next request, and one that was only opened, as
 * browsers do ahead of need.
 */
function drainOnClose(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  // Not by listening for `upgrade`: where nothing takes WebSockets, Node would then leave them unanswered and open.
  app.addHook('onRequest', async ({ raw }) => {
    unused.delete(raw.socket)
  })

  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    for (const socket of unused) socket.destroy()
  })
  app.addHook('onSend', async (_, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
}
