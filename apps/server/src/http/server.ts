/**
 * Common to all of Atoll's HTTP servers: request ids, one log line a request, errors as envelopes, security headers.
 */
import { randomUUID } from 'node:crypto'
import helmet from '@fastify/helmet'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import type { Log } from '../platform/log.ts'
import { drainOnClose } from './draining.ts'
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
