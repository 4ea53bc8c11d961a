/** The edge: visitors reach clusters by name, and what they move is counted. */
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Listener } from '../../platform/events/index.ts'
import type { Log } from '../../platform/log.ts'
import { createRelay, type RelayDeps } from '../relay/index.ts'
import { createEdgeServer, type EdgeLimits } from './edge-server.ts'
import { createPeers } from './peers.ts'
import { createRouteCache, type FindRoute } from './route-cache.ts'
import { createTrafficCounter } from './traffic-counter.ts'

export type { EdgeRoute, FindRoute } from './route-cache.ts'
export { addTraffic, sumTraffic, type Traffic, type TrafficKind } from './traffic-store.ts'

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
  }
  /** What edges show each other. */
  peerProof: string
  /** Who dials the relay, and who may stay. */
  agents: Pick<RelayDeps, 'proveInstance' | 'listEnrolled'>
  /** Who answers for a host (lower case, no port); asked at most every two seconds per host. */
  findRoute: FindRoute
}

export interface Edge {
  /** Resolves with the port, which differs from the one asked for when that was 0. */
  listen(port: number): Promise<number>
  /** Lets answers finish for `graceMs` (default 5 s), then cuts; writes what was counted. */
  close(graceMs?: number): Promise<void>
}

export function createEdge({ db, clock, listener, log, config, findRoute, peerProof, agents }: EdgeDeps): Edge {
  const routes = createRouteCache(findRoute, listener, log)
  const traffic = createTrafficCounter({ db, clock, log })
  const relay = createRelay({ db, listener, log, ...agents })
  const peers = createPeers({ proof: peerProof, peerUrl: config.edgePeerUrl, host: config.host })
  const server = createEdgeServer({ routes, traffic, relay, peers, log, config })
  return {
    listen: server.listen,
    async close(graceMs = 5000) {
      await server.close(graceMs)
      await relay.close()
      routes.close()
      await traffic.close()
    },
  }
}
