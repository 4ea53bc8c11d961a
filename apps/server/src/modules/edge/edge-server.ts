/** The listener that visitors of clusters reach: finds the instance behind a host and lets `forward-*` carry. */
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Locale } from '@atoll/contract'
import type { Log } from '../../platform/log.ts'
import { type EdgeFault, renderEdgePage } from './edge-page.ts'
import { discardBody, forwardRequest } from './forward-request.ts'
import { forwardUpgrade } from './forward-upgrade.ts'
import { requestedHost } from './forwarded-headers.ts'
import type { EdgeRoute, RouteCache } from './route-cache.ts'
import type { TrafficCounter } from './traffic-counter.ts'

export interface EdgeServerDeps {
  routes: RouteCache
  traffic: TrafficCounter
  log: Log
  config: { host: string; product: string; trustProxy: number }
}

export interface EdgeServer {
  /** Resolves with the port, which differs from the one asked for when that was 0. */
  listen(port: number): Promise<number>
  /** Takes no new connection, lets answers finish for `graceMs`, then cuts; upgraded connections are cut at once. */
  close(graceMs: number): Promise<void>
}

const keepAliveMs = 65_000
/** A connection on which nothing moves, ms. */
const idleMs = 620_000

export function createEdgeServer({ routes, traffic, log, config }: EdgeServerDeps): EdgeServer {
  // Free connections to instances are given up sooner (30 s) than an instance closes them (75 s), so that a request
  // rarely meets one that is just being closed.
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 32, timeout: 30_000, scheduling: 'lifo' })
  const upgraded = new Set<Duplex>()
  const server = http.createServer({
    keepAliveTimeout: keepAliveMs,
    headersTimeout: 15_000,
    requestTimeout: 0,
    // Others, such as h2c, may be ignored (RFC 9110, 7.8): the request is then an ordinary one.
    shouldUpgradeCallback: (req) => req.headers.upgrade?.toLowerCase() === 'websocket',
  })
  server.setTimeout(idleMs)
  server.on('request', (req, res) => void answer(req, res))
  // The instance decides whether the body may come (it answers 507 to a file that cannot fit).
  server.on('checkContinue', (req, res) => void answer(req, res))
  server.on('upgrade', (req, socket, head) => void upgrade(req, socket, head))

  /** The route when requests can go there, else what the visitor is told. */
  async function chooseRoute(req: IncomingMessage): Promise<EdgeRoute | EdgeFault> {
    const host = requestedHost(req)
    if (host === undefined || !req.url?.startsWith('/')) return 'badRequest'
    const route = await routes.find(host)
    if (!route) return 'unknown'
    return route.serving ? route : route.starting ? 'starting' : 'stopped'
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // While closing, a connection whose answer is through would be kept open for its next request.
    res.once('close', () => {
      if (!server.listening) server.closeIdleConnections()
    })
    try {
      let fault = await forward(req, res)
      if (fault === 'retry') fault = await forward(req, res)
      if (fault && !res.headersSent) sendPage(req, res, fault === 'retry' ? 'silent' : fault)
    } catch (error) {
      log.error({ err: error }, 'a request could not be forwarded')
      if (!res.headersSent) sendPage(req, res, 'failed')
      else res.destroy()
    }
  }

  /** Undefined when the visitor has been answered. */
  async function forward(req: IncomingMessage, res: ServerResponse): Promise<EdgeFault | 'retry' | undefined> {
    const route = await chooseRoute(req)
    if (typeof route === 'string') return route
    const result = await forwardRequest(req, res, {
      route,
      agent,
      trustedProxies: config.trustProxy,
      count: (direction, bytes) => traffic.count(route.clusterId, direction, bytes),
    })
    if (result.outcome === 'answered') return undefined
    // It may have come back at another address.
    routes.forget(requestedHost(req) ?? '')
    log.info({ clusterId: route.clusterId, reason: result.error.message }, 'an instance did not answer')
    return result.mayRetry ? 'retry' : 'silent'
  }

  async function upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Node takes its own listener off; a visitor that goes away must not end the process.
    socket.on('error', () => socket.destroy())
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    try {
      const route = await chooseRoute(req)
      if (typeof route === 'string') return writePage(req, socket, route)
      const result = await forwardUpgrade(req, socket, head, {
        route,
        trustedProxies: config.trustProxy,
        count: (direction, bytes) => traffic.count(route.clusterId, direction, bytes),
      })
      if (result.outcome === 'unanswered') writePage(req, socket, 'silent')
    } catch (error) {
      log.error({ err: error }, 'an upgrade could not be forwarded')
      writePage(req, socket, 'failed')
    }
  }

  function pageFor(req: IncomingMessage, fault: EdgeFault) {
    return renderEdgePage(fault, {
      host: requestedHost(req) ?? '',
      locale: localeOf(req),
      product: config.product,
      asHtml: /text\/html/i.test(req.headers.accept ?? ''),
    })
  }

  function sendPage(req: IncomingMessage, res: ServerResponse, fault: EdgeFault): void {
    const { status, headers, body } = pageFor(req, fault)
    res.writeHead(status, headers)
    res.end(req.method === 'HEAD' ? undefined : body)
    discardBody(req)
  }

  function writePage(req: IncomingMessage, socket: Duplex, fault: EdgeFault): void {
    if (!socket.writable) return
    const { status, headers, body } = pageFor(req, fault)
    const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
    socket.end([`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  }

  return {
    async listen(port) {
      server.listen(port, config.host)
      await once(server, 'listening')
      return (server.address() as AddressInfo).port // a TCP listener's address is always this
    },
    async close(graceMs) {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      for (const socket of upgraded) socket.destroy()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(timer)
      agent.destroy()
    },
  }
}

function localeOf(req: IncomingMessage): Locale {
  return /^\s*zh\b/i.test(req.headers['accept-language'] ?? '') ? 'zh-CN' : 'en-US'
}
