/**
 * Requests whose address exists and whose method does not: HTTP 405 with `Allow` (RFC 9110, 15.5.6), in the envelope;
 * the one answer to a call that is not HTTP 200 (wire, "Envelope").
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../platform/refusal.ts'
import { isProductPath, pathOf, sendEnvelope } from './answers.ts'
import { isUndecodable } from './malformed-request.ts'

interface KnownRoute {
  pattern: RegExp
  methods: readonly string[]
}

/** The pages' files, and through them every address that a browser navigates to. */
const pages = '/*'

/** Refuses wrong methods of all routes that `app` is given from now on. Preflights have a route of their own. */
export function refuseWrongMethods(app: FastifyInstance): void {
  const known: KnownRoute[] = []
  let hasPages = false
  app.addHook('onRoute', ({ url, method }) => {
    if (url === pages) hasPages = true
    else if (url !== '*') known.push({ pattern: patternOf(url), methods: [method].flat() })
  })

  function methodsAt(path: string): string[] {
    const methods = known.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods)
    if (methods.length > 0) return [...new Set(methods)]
    return hasPages && !isProductPath(path) ? ['GET', 'HEAD'] : []
  }

  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 && request.routeOptions.url !== pages && !isBareOptions(request)) return undefined
    // Both have answers of their own.
    if (isUndecodable(request) || request.headers.upgrade !== undefined) return undefined
    const methods = methodsAt(pathOf(request))
    if (methods.length === 0 || methods.includes(request.method)) return undefined
    const allow = methods.toSorted().join(', ')
    return sendEnvelope(new Refusal('methodWrong', { allow }), request, reply.header('allow', allow), 405)
  })
}

/** Of OPTIONS only a preflight is answered, which the plugin for other origins does. */
function isBareOptions({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && !(headers.origin && headers['access-control-request-method'])
}

/** Addresses of a route as Fastify writes it: `:name` is one part of the path, `*` the rest. */
function patternOf(url: string): RegExp {
  const source = url
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*')
  return new RegExp(`^${source}/?$`)
}
