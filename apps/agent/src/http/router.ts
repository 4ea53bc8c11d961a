/**
 * Routes are a table from `METHOD /path` to a function: the API has no parameters in its paths. A library for it would
 * be the larger part of the agent (Hono 42 kB, find-my-way 60 kB, this 3 kB, of 74) and be loaded at every start.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describeError, type Log } from '../kernel/log.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { type Exchange, letSend, sendJson, visitorOf } from './exchange.ts'
import { setSecurityHeaders } from './security-headers.ts'

export type Handler = (exchange: Exchange) => Promise<void> | void
export type RouteTable = Record<string, Handler>

export interface RouterOptions {
  routes: RouteTable
  /** Runs before the route of `key`; throws to refuse. */
  guard(key: string, exchange: Exchange): void
  /** The WebDAV share at `/dav`, all methods. */
  dav: Handler
  /** GET and HEAD elsewhere outside /api. */
  page: Handler
  log: Log
  /** How long a body may take to arrive, but for uploads. Default 30 s. */
  arrivalMs?: number
}

/** The listener of node:http's `request`. HEAD is answered by the route of GET. */
export function createRouter({ routes, guard, dav, page, log, arrivalMs = 30_000 }: RouterOptions) {
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = parseTarget(req.url)
    const exchange: Exchange = { req, res, url, visitor: visitorOf(req) }
    const method = req.method === 'HEAD' ? 'GET' : (req.method ?? '')
    if (url.pathname.startsWith('/api/')) {
      const key = `${method} ${url.pathname}`
      const route = Object.hasOwn(routes, key) ? routes[key] : undefined
      if (!route) throw missing(url.pathname)
      guard(key, exchange)
      // A visitor that asks before it sends: an upload is only let go on when it fits (`drive-routes.ts`).
      if (!isUpload(req)) letSend(req, res)
      await route(exchange)
    } else if (url.pathname === '/dav' || url.pathname.startsWith('/dav/')) {
      await dav(exchange)
    } else if (method === 'GET') {
      await page(exchange)
    } else {
      throw wrongMethod(['GET'])
    }
  }

  function missing(path: string): HttpProblem {
    const methods = Object.keys(routes).flatMap((key) => {
      const [method = '', own] = key.split(' ')
      return own === path ? [method] : []
    })
    return methods.length > 0 ? wrongMethod(methods) : new HttpProblem(404, 'notFound', 'There is no such call.')
  }

  return (req: IncomingMessage, res: ServerResponse): void => {
    setSecurityHeaders(res)
    // An upload may take any time while it moves; only a signed-in browser may make one.
    if (!isUpload(req))
      limitArrival(req, res, arrivalMs, () => {
        fail(req, res, new HttpProblem(408, 'tooSlow', 'The request did not arrive in time.'), log)
      })
    answer(req, res).catch((error: unknown) => fail(req, res, error, log))
  }
}

function isUpload({ method }: IncomingMessage): boolean {
  return method === 'PUT' || method === 'PATCH'
}

/** RFC 9110, 15.5.6. HEAD is answered where GET is. */
function wrongMethod(methods: readonly string[]): HttpProblem {
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const problem = new HttpProblem(405, 'badParameter', 'This address knows no such method.')
  problem.allow = allowed.toSorted().join(', ')
  return problem
}

function parseTarget(target: string | undefined): URL {
  if (!target?.startsWith('/') || !URL.canParse(target, 'http://server'))
    throw new HttpProblem(400, 'badParameter', 'The address is not one.')
  return new URL(target.replace(/^\/+/, '/'), 'http://server')
}

function fail(req: IncomingMessage, res: ServerResponse, error: unknown, log: Log): void {
  if (req.errored || res.destroyed) return // the visitor went away
  if (!(error instanceof HttpProblem)) log.error('http', `${req.method} failed: ${describeError(error)}`)
  if (res.headersSent) {
    res.destroy() // half an answer must look like one
    return
  }
  const problem = error instanceof HttpProblem ? error : new HttpProblem(500, 'serverError', 'Something went wrong.')
  for (const name of ['content-disposition', 'etag', 'last-modified', 'accept-ranges']) res.removeHeader(name)
  if (problem.retryAfterSeconds) res.setHeader('retry-after', problem.retryAfterSeconds)
  if (problem.allow) res.setHeader('allow', problem.allow)
  if (!req.complete) discardRest(req)
  sendJson(res, problem.status, {
    code: problem.code,
    message: problem.message,
    ...(problem.retryAfterSeconds && { retryAfterSeconds: problem.retryAfterSeconds }),
  })
}

/**
 * How long the rest of a refused upload is read: cut while it still sends, a browser loses the answer. So the
 * answer carries no `connection: close` either, since Node then cuts it at once. ms
 */
const discardMs = 30_000

function discardRest(req: IncomingMessage): void {
  const timer = setTimeout(() => req.destroy(), discardMs)
  req.once('close', () => clearTimeout(timer))
  req.on('error', () => undefined) // the visitor may go now; the answer is on its way
  req.resume()
}

/**
 * Ends a request whose body is not whole after `withinMs`, whether it was answered or not: each holds a connection,
 * and there are only so many. `refuse` answers the visitor when nothing has been answered yet.
 */
function limitArrival(req: IncomingMessage, res: ServerResponse, withinMs: number, refuse: () => void): void {
  if (Number(req.headers['content-length'] ?? 0) === 0 && req.headers['transfer-encoding'] === undefined) return
  const timer = setTimeout(() => {
    if (res.headersSent) return void req.destroy()
    res.setHeader('connection', 'close')
    refuse()
  }, withinMs)
  const stop = () => clearTimeout(timer)
  req.once('end', stop)
  req.once('close', stop)
}
