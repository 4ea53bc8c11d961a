/** The listener that visitors of clusters reach: finds the instance behind a host and lets `forward-*` carry. */
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { namesManyHosts } from '../../http/request/malformed-request.ts'
import type { Clock } from '../../platform/clock.ts'
import { listenAt, type Place } from '../../platform/listening.ts'
import type { Log } from '../../platform/log.ts'
import type { Relay } from '../relay/index.ts'
import {
  createTlsServer,
  type EdgeCertificates,
  findChallengeAnswer,
  secureUrl,
  sendAway,
  sendProof,
} from './edge-tls.ts'
import { discardBody, type ForwardOptions, forwardRequest, type Upstream } from './forward/forward-request.ts'
import { announcesBody, forwardUpgrade, isWebSocket } from './forward/forward-upgrade.ts'
import { localeOf, requestedHost, visitorAddress, visitorScheme } from './forward/forwarded-headers.ts'
import { createBandwidth } from './limits/bandwidth.ts'
import type { BodyRate } from './limits/body-rate.ts'
import { createConnectionTurns } from './limits/connection-turns.ts'
import { createVisitorRate } from './limits/visitor-rate.ts'
import { createVisitorShares } from './limits/visitor-shares.ts'
import { createOwnHosts } from './own-hosts.ts'
import { type EdgeFault, renderEdgePage } from './pages/edge-page.ts'
import { createOwnPages, type StatusPages } from './pages/own-pages.ts'
import { isRelayDial, type Peers, peerUpstream } from './peers.ts'
import type { EdgeRoute, RouteCache } from './route-cache.ts'
import type { TrafficCounter } from './traffic/traffic-counter.ts'
import type { UpgradeLimits } from './upgrade-limits.ts'

export interface EdgeServerDeps {
  routes: RouteCache
  traffic: TrafficCounter
  relay: Relay
  peers: Peers
  upgrades: UpgradeLimits
  certificates: EdgeCertificates | undefined
  status?: StatusPages | undefined
  clock: Clock
  log: Log
  config: EdgeLimits & { host: string; product: string; trustProxy: number }
}

export interface EdgeLimits {
  /** Requests and upgraded connections that one visitor may have under way at one cluster. */
  edgeVisitorRequests: number
  /** Hosts of the deployment itself (own-hosts.ts). */
  edgeOwnHosts?: ReadonlyMap<string, { host: string; port: number }>
  /** Where the console is; left out, nowhere. */
  publicUrl?: string
  chinaUrl?: string
  edgeBodyRate: BodyRate
  /** How many times as many requests of a network are let through as built in; left out, 1. */
  rateFactor?: number
  edgeAnswerMs: number // until an answer begins
}

export interface EdgeServer {
  /** Resolves with the port, which differs from the one asked for when that was 0. */
  listen(place: Place): Promise<number>
  /** As `listen`, over HTTPS. */
  listenTls(place: Place): Promise<number>
  /**
   * Takes no new connection, lets answers finish for `graceMs`, then cuts; upgraded connections are cut at once, and
   * nothing is upgraded any more.
   */
  close(graceMs: number): Promise<void>
}

type Endpoint = Omit<ForwardOptions, 'count' | 'isOurPage' | 'throttle'>

/** Why a request goes nowhere. */
type Refused = EdgeFault | { limitedUntil: Date }

const keepAliveMs = 65_000
/** A connection on which nothing moves, ms; more where an answer may take longer. */
const idleMs = 620_000
/** The longest that a visitor of a cluster that is limited is told to wait, s. */
const longestWait = 3600
/** Connections that wait to be accepted. Node's 511 is soon full where many come at once; then some are reset. */
const waitingToBeAccepted = 4096
/** How long a request waits for an agent whose connection was cut to dial again. ms */
const redialMs = 5000

export function createEdgeServer(deps: EdgeServerDeps): EdgeServer {
  const { routes, traffic, relay, peers, upgrades, certificates, clock, log, config } = deps
  // Free connections to instances are given up sooner (30 s) than an instance closes them (75 s), so that a request
  // rarely meets one that is just being closed.
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 32, timeout: 30_000, scheduling: 'lifo' })
  const throttleFor = createBandwidth()
  const countVisit = createVisitorRate(config.rateFactor ?? 1)
  const turns = createConnectionTurns()
  const noteShare = createVisitorShares(config.edgeVisitorRequests)
  /** All connections: those that have not said anything yet, or shake hands, are not among Node's own. */
  const connections = new Set<Socket>()
  const upgraded = new Set<Duplex>()
  let isClosing = false
  const unmovedMs = Math.max(idleMs, config.edgeAnswerMs + 20_000)
  const options = {
    keepAliveTimeout: keepAliveMs,
    headersTimeout: 15_000,
    requestTimeout: 0,
    // Others, such as h2c or behind requests under way, may be ignored (RFC 9110, 7.8): they are ordinary requests
    // then.
    shouldUpgradeCallback: (req: IncomingMessage) =>
      !turns.isBusy(req.socket) && (isWebSocket(req) || isRelayDial(req)),
  }
  const server = http.createServer(options)
  const { server: tlsServer, sessions } = createTlsServer(certificates, log, { ...options, idleMs: unmovedMs })
  const servers = [server, tlsServer]
  for (const one of servers) {
    one.setTimeout(unmovedMs)
    one.on('connection', (socket: Socket) => {
      connections.add(socket)
      socket.once('close', () => connections.delete(socket))
    })
    one.on('request', (req, res) => void answer(req, res))
    // The instance decides whether the body may come (it answers 507 to a file that cannot fit).
    one.on('checkContinue', (req, res) => void answer(req, res))
    one.on('upgrade', (req, socket, head) => void upgrade(req, socket, head))
  }
  /** Of HTTPS; undefined: it is not spoken. */
  let tlsPort: number | undefined

  const own = createOwnHosts(config, agent)
  const ownPages = createOwnPages(config, deps.status)

  /** Where a visitor by HTTP of a customer's domain is sent, which has HTTPS. */
  async function findSecureUrl(req: IncomingMessage): Promise<string | undefined> {
    if (tlsPort === undefined || peers.proves(req) || visitorScheme(req, config.trustProxy) === 'https')
      return undefined
    const host = requestedHost(req)
    const isOurs = host !== undefined && !namesManyHosts(req) && req.url?.startsWith('/') === true
    if (!isOurs) return undefined
    if (own.has(host)) return secureUrl(req, tlsPort)
    const route = await routes.find(host)
    // Without a proxy clusters under the edge's own domain have HTTPS as well.
    const hasHttps = route !== undefined && (route.domainId !== undefined || !own.isEmpty)
    return hasHttps ? secureUrl(req, tlsPort) : undefined
  }

  /** The route when requests can go there, else what the visitor is shown. */
  async function chooseRoute(req: IncomingMessage): Promise<EdgeRoute | Refused> {
    const host = requestedHost(req)
    if (host === undefined || namesManyHosts(req) || !req.url?.startsWith('/')) return 'badRequest'
    if (!peers.proves(req) && !countVisit(visitorAddress(req, config.trustProxy))) return 'often'
    const route = await routes.find(host)
    if (!route) return 'unknown'
    if (route.serving) return route.limitedUntil ? { limitedUntil: route.limitedUntil } : route
    if (route.held) return 'held'
    if (route.offline) return 'offline'
    return route.starting ? 'starting' : 'stopped'
  }

  /** How `req` gets to the instance of `route`; undefined when its agent cannot be reached. */
  async function findEndpoint(req: IncomingMessage, route: EdgeRoute): Promise<Endpoint | undefined> {
    // Another edge has seen to the visitor's address, and counts.
    const isPassedOn = peers.proves(req)
    const trustedProxies = isPassedOn ? 1 : config.trustProxy
    const { clusterHost } = route
    if (!route.viaRelay) return { upstream: { host: route.host, port: route.port, agent }, clusterHost, trustedProxies }
    const endpoint = await relay.find(route.instanceId, { waitMs: redialMs, here: isPassedOn })
    if (!endpoint) return undefined
    const upstream: Upstream =
      endpoint.kind === 'here'
        ? { host: 'personal-server', port: 80, agent: endpoint.agent, isCut: endpoint.agent.isCut }
        : peerUpstream(endpoint.edgeUrl, agent, peers.proof)
    return { upstream, clusterHost, trustedProxies }
  }

  /** As in visitor-shares.ts; whom another edge passed on, that one counts. */
  function beginShare(req: IncomingMessage, route: EdgeRoute): (() => void) | undefined {
    if (peers.proves(req)) return () => undefined
    return noteShare(route.clusterId, visitorAddress(req, config.trustProxy))
  }

  /** Whom another edge passed on, that one counts and holds back. */
  function meterFor(req: IncomingMessage, route: EdgeRoute): Pick<ForwardOptions, 'count' | 'isOurPage' | 'throttle'> {
    const isOurPage = peers.proves
    if (peers.proves(req)) return { count: () => undefined, isOurPage }
    const kind = route.viaRelay ? 'FrpNetwork' : 'edge'
    return {
      count: (direction, bytes) => traffic.count(route.clusterId, kind, direction, bytes),
      isOurPage,
      throttle: throttleFor(route),
    }
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // A second attempt listens beside the first, and Node would write a line about each such request.
    for (const one of [req, res]) one.setMaxListeners(20)
    // While closing, a connection whose answer is through would be kept open for its next request.
    res.once('close', () => {
      for (const one of servers) if (!one.listening) one.closeIdleConnections()
    })
    try {
      if (!(await turns.wait(req, res))) return
      if (ownPages.sendFont(req, res)) return
      const proof = await findChallengeAnswer(certificates, req)
      if (proof !== undefined) return sendProof(req, res, proof)
      const location = await findSecureUrl(req)
      if (location !== undefined) return sendAway(req, res, location)
      if (ownPages.sendStatus(req, res)) return
      const fault = await forward(req, res)
      if (fault && !res.headersSent) sendPage(req, res, fault)
    } catch (error) {
      log.error({ err: error }, 'a request could not be forwarded')
      if (!res.headersSent) sendPage(req, res, 'failed')
      else res.destroy()
    }
  }

  /** Undefined when the visitor has been answered. */
  async function forward(req: IncomingMessage, res: ServerResponse): Promise<Refused | undefined> {
    const answered = own.forward(req, res)
    if (answered) return await answered
    const route = await chooseRoute(req)
    if (isRefused(route)) return route
    const endShare = beginShare(req, route)
    if (!endShare) return 'busy'
    // An answer may be through while its request is not: that still holds a connection to the instance.
    void Promise.all([closed(req), closed(res)]).then(endShare)
    const fault = await forwardTo(route, req, res)
    if (fault !== 'retry') return fault
    // It may have come back at another address.
    const again = await chooseRoute(req)
    if (isRefused(again)) return again
    const second = await forwardTo(again, req, res)
    return second === 'retry' ? 'silent' : second
  }

  async function forwardTo(
    route: EdgeRoute,
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<EdgeFault | 'retry' | undefined> {
    const endpoint = await findEndpoint(req, route)
    if (!endpoint) return 'silent'
    const result = await forwardRequest(req, res, {
      ...endpoint,
      ...meterFor(req, route),
      bodyRate: config.edgeBodyRate,
      answerMs: config.edgeAnswerMs,
    })
    if (result.outcome === 'answered') return undefined
    if (result.outcome === 'tooSlow') return 'slow'
    routes.forget(requestedHost(req) ?? '')
    relay.forget(route.instanceId)
    log.info({ clusterId: route.clusterId, reason: result.error.message }, 'an instance did not answer')
    return result.mayRetry ? 'retry' : 'silent'
  }

  async function upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Node takes its own listener off; a visitor that goes away must not end the process.
    socket.on('error', () => socket.destroy())
    // An agent that dialled just before: it would hold the edge until it is ended by force.
    if (isClosing) return void socket.destroy()
    upgraded.add(socket)
    const ends: (() => void)[] = [() => upgraded.delete(socket)]
    socket.once('close', () => {
      for (const end of ends) end()
    })
    try {
      if (announcesBody(req)) return writePage(req, socket, 'malformed')
      if (isRelayDial(req)) return await relay.admit(req, socket, head, visitorAddress(req, config.trustProxy))
      const location = await findSecureUrl(req)
      if (location !== undefined)
        return void socket.end(`HTTP/1.1 308 Permanent Redirect\r\nlocation: ${location}\r\nconnection: close\r\n\r\n`)
      const joined = own.upgrade(req, socket, head)
      if (joined) {
        const fault = await joined
        return fault && writePage(req, socket, fault)
      }
      const route = await chooseRoute(req)
      if (isRefused(route)) return writePage(req, socket, route)
      const endShare = beginShare(req, route)
      if (!endShare) return writePage(req, socket, 'busy')
      if (socket.destroyed) return endShare()
      ends.push(endShare)
      const endpoint = await findEndpoint(req, route)
      if (!endpoint) return writePage(req, socket, 'silent')
      const result = await forwardUpgrade(req, socket, head, {
        ...endpoint,
        ...meterFor(req, route),
        answerMs: config.edgeAnswerMs,
      })
      if (result.outcome === 'unanswered') return writePage(req, socket, 'silent')
      ends.push(upgrades.watch(route, requestedHost(req) ?? '', socket))
    } catch (error) {
      log.error({ err: error }, 'an upgrade could not be forwarded')
      writePage(req, socket, 'failed')
    }
  }

  function pageFor(req: IncomingMessage, refused: Refused) {
    const { headers, ...page } = renderEdgePage(typeof refused === 'string' ? refused : 'limited', {
      retryAfter: typeof refused === 'string' ? undefined : waitUntil(refused.limitedUntil),
      host: requestedHost(req) ?? '',
      locale: localeOf(req),
      product: config.product,
      asHtml: /text\/html/i.test(req.headers.accept ?? ''),
    })
    return { ...page, headers: { ...headers, ...peers.markPage(req) } }
  }

  /** Seconds. */
  function waitUntil(at: Date): number {
    return Math.min(Math.max(Math.ceil((at.getTime() - clock.now().getTime()) / 1000), 1), longestWait)
  }

  function sendPage(req: IncomingMessage, res: ServerResponse, fault: Refused): void {
    const { status, headers, body } = pageFor(req, fault)
    // The rest of a body that comes too slowly is not read.
    res.writeHead(status, { ...headers, ...(fault === 'slow' && { connection: 'close' }) })
    res.end(req.method === 'HEAD' ? undefined : body)
    if (fault !== 'slow') discardBody(req)
  }

  function writePage(req: IncomingMessage, socket: Duplex, fault: Refused): void {
    if (!socket.writable) return
    const { status, headers, body } = pageFor(req, fault)
    const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
    socket.end([`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  }

  return {
    async listen(place) {
      const bound = await listenAt(server, place, config.host, waitingToBeAccepted)
      relay.announce(peers.urlOf(bound))
      return bound
    },
    async listenTls(place) {
      tlsPort = await listenAt(tlsServer, place, config.host, waitingToBeAccepted)
      return tlsPort
    },
    async close(graceMs) {
      // Its port may have been taken.
      const open = servers.filter((one) => one.listening)
      if (open.length === 0) return
      isClosing = true
      const allClosed = Promise.all(open.map((one) => once(one, 'close')))
      for (const one of open) {
        one.close()
        one.closeIdleConnections()
      }
      sessions.close()
      for (const socket of upgraded) socket.destroy()
      const timer = setTimeout(() => {
        for (const socket of connections) socket.destroy()
      }, graceMs)
      await allClosed
      clearTimeout(timer)
      agent.destroy()
    },
  }
}

function isRefused(found: EdgeRoute | Refused): found is Refused {
  return typeof found === 'string' || !('clusterId' in found)
}

/** Resolves when `stream` is closed, or is already. */
async function closed(stream: IncomingMessage | ServerResponse): Promise<void> {
  if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve))
}
