/**
 * Which instance answers for a host. Asked of the database once and kept for two seconds, or until a notification says
 * that a cluster or a domain changed, whichever is first: a stop or a new address is seen at once, and a lost
 * notification costs two seconds. While the database cannot be asked, what was known last is used: visitors of running
 * clusters need not notice.
 */
import { z } from 'zod'
import { changeChannel, type Listener } from '../../platform/events/index.ts'
import type { Log } from '../../platform/log.ts'

export interface EdgeRoute {
  clusterId: string
  /** The cluster's own name among hosts, lower case, without a port. */
  clusterHost: string
  instanceId: string
  /** Where the instance's personal server listens; meaningless unless `serving`. */
  host: string
  port: number
  /** Whether requests may go there now. */
  serving: boolean
  /** Suspended: whatever it does, visitors are turned away. */
  held?: boolean
  /** Not serving, but on its way there: the page says so and retries. */
  starting?: boolean
  /** A host that has not reported for a while. */
  offline?: boolean
  /** The plan of its owner is used up; until when at the latest. Nothing goes there that begins now. */
  limitedUntil?: Date | undefined
  /** The limit of its owner's plan, both directions together; undefined: no limit. */
  bytesPerSecond?: number | undefined
  /** The instance is not called at `host` and `port` but over what its agent dialled. */
  viaRelay?: boolean
  /** The number of the customer's domain that the host is under; undefined: it is under the edge's own. */
  domainId?: string | undefined
}
export type FindRoute = (host: string) => Promise<EdgeRoute | undefined>

export interface RouteCache {
  find: FindRoute
  /** The address of `host` did not answer: it is looked up again. */
  forget(host: string): void
  close(): void
}

const keptMs = 2000
/** Hosts that visitors make up would fill memory; the oldest go. */
const maxHosts = 10_000

const Change = z.object({ topic: z.string(), id: z.string() })

export function createRouteCache(findRoute: FindRoute, listener: Listener, log: Log): RouteCache {
  const kept = new Map<string, { route: Promise<EdgeRoute | undefined>; until: number }>()

  function forgetWhere(isConcerned: (found: EdgeRoute) => boolean): void {
    for (const [host, { route }] of kept) {
      // A host without a cluster may just have got one. A lookup under way began before the change: not kept either.
      const forgetIfConcerned = (found: EdgeRoute | undefined) => {
        if ((!found || isConcerned(found)) && kept.get(host)?.route === route) kept.delete(host)
      }
      route.then(forgetIfConcerned, () => undefined) // a lookup that failed is not kept anyway
    }
  }

  const stops = [
    listener.on(changeChannel, (payload) => {
      const { topic, id } = Change.parse(payload)
      if (topic === 'cluster') forgetWhere(({ clusterId }) => clusterId === id)
      if (topic === 'domain') forgetWhere(({ domainId }) => domainId === id)
    }),
    listener.onResync(() => kept.clear()),
  ]

  return {
    async find(host) {
      const known = kept.get(host)
      if (known && known.until > performance.now()) return await known.route
      const route = findRoute(host).catch((error: unknown) => {
        if (!known) throw error
        log.warn({ err: error, host }, 'a route could not be looked up; the last one known is used')
        return known.route
      })
      kept.delete(host)
      kept.set(host, { route, until: performance.now() + keptMs })
      const oldest = kept.keys().next().value
      if (kept.size > maxHosts && oldest !== undefined) kept.delete(oldest)
      route.catch(() => {
        if (kept.get(host)?.route === route) kept.delete(host) // the caller gets the error; the next one asks again
      })
      return await route
    },
    forget: (host) => void kept.delete(host),
    close() {
      for (const stop of stops) stop()
    },
  }
}
