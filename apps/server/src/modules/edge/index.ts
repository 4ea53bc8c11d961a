/** The edge: visitors reach clusters by name, and what they move is counted. */
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Listener } from '../../platform/events/index.ts'
import type { Place } from '../../platform/listening.ts'
import type { Log } from '../../platform/log.ts'
import { createRelay, type RelayDeps } from '../relay/index.ts'
import { createEdgeServer, type EdgeLimits } from './edge-server.ts'
import type { EdgeCertificates } from './edge-tls.ts'
import type { StatusPages } from './pages/own-pages.ts'
import { createPeers } from './peers.ts'
import { createRouteCache, type FindRoute } from './route-cache.ts'
import { createTrafficCounter } from './traffic/traffic-counter.ts'
import type { CountedTraffic } from './traffic/traffic-store.ts'
import { createUpgradeLimits } from './upgrade-limits.ts'

export { edgeAskPlugin } from './edge-ask-plugin.ts'
/** A path that an edge answers on every host, whether or not the cluster has it. */
export { fontPath as edgeMarkPath } from './pages/edge-page.ts'
export {
  addTraffic,
  type CountedTraffic,
  hourlyTraffic,
  sumTraffic,
  type Traffic,
  type TrafficKind,
} from './traffic/traffic-store.ts'

export interface EdgeDeps {
  db: Db
  clock: Clock
  listener: Listener
  log: Log
  config: EdgeLimits & {
    host: string
    product: string
    trustProxy: number
    /** Where other edges reach this one; undefined: at the address it listens on. */
    edgePeerUrl?: string | undefined
    /** How long what was upgraded stays open at a cluster that is limited, ms; default a minute. */
    edgeUpgradedGraceMs?: number
  }
  /** Proofs that edges show each other: this one shows the first, and accepts each. */
  peerProofs: readonly string[]
  /** Identifies agents that dial the relay, and lists those that may stay. */
  agents: Pick<RelayDeps, 'meetDial' | 'listEnrolled'>
  /** Finds the route of a host (lower case, no port); called at most every two seconds per host. */
  findRoute: FindRoute
  /** Certificates of customers' domains; undefined: the edge has none. */
  openCertificates?(): EdgeCertificates
  /** Answers `/status` on the console's own hosts, whether the console is up or not; absent: no such page. */
  status?: StatusPages & { open(): Promise<void>; close(): Promise<void> }
  /** Adds bytes to the counters; all of it or nothing. */
  addTraffic(at: Date, counted: readonly CountedTraffic[]): Promise<void>
}

export interface Edge {
  /** Resolves with the port, which differs from the one asked for when that was 0. */
  listen(place: Place): Promise<number>
  /** The same over HTTPS, with the certificate of the host that a visitor names. */
  listenTls(place: Place): Promise<number>
  /** Lets answers finish for `graceMs` (default 5 s), then cuts; writes what was counted, and fails if it cannot. */
  close(graceMs?: number): Promise<void>
}

export function createEdge(deps: EdgeDeps): Edge {
  const { db, clock, listener, log, config, findRoute, peerProofs, agents, addTraffic } = deps
  const routes = createRouteCache(findRoute, listener, log)
  const traffic = createTrafficCounter({ clock, log, addTraffic })
  const relay = createRelay({ db, listener, log, ...agents })
  const peers = createPeers({ proofs: peerProofs, peerUrl: config.edgePeerUrl, host: config.host })
  const upgrades = createUpgradeLimits({ listener, findRoute, log, graceMs: config.edgeUpgradedGraceMs ?? 60_000 })
  const certificates = deps.openCertificates?.()
  const { status } = deps
  const server = createEdgeServer({ routes, traffic, relay, peers, upgrades, certificates, status, clock, log, config })
  return {
    async listen(place) {
      await status?.open()
      return await server.listen(place)
    },
    listenTls: server.listenTls,
    async close(graceMs = 5000) {
      await server.close(graceMs)
      routes.close()
      upgrades.close()
      certificates?.close()
      await status?.close()
      // Counted traffic is written without waiting for the relay, because a stop that takes too long is cut off.
      await Promise.all([traffic.close(), relay.close()])
    },
  }
}
