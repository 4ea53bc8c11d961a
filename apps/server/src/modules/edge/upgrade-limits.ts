/**
 * Ends upgraded connections at a cluster that has become limited, after a time in which they may finish. Connections at
 * a suspended cluster end at once, and so do those at a host of a customer's domain when that is removed. A change of a
 * cluster or a domain triggers a check; so does a new connection, because the change may have come while it was made.
 */
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import { changeChannel, type Listener } from '../../platform/events/index.ts'
import type { Log } from '../../platform/log.ts'
import type { FindRoute } from './route-cache.ts'

export interface UpgradeLimits {
  /**
   * Closes `socket`, which leads to that cluster by `host`, when it has been limited for `graceMs` or the host is gone;
   * gives what to call once it is closed.
   */
  watch(route: { clusterId: string; domainId?: string | undefined }, host: string, socket: Duplex): () => void
  close(): void
}

interface Watched {
  host: string
  clusterId: string
  domainId: string | undefined
  sockets: Set<Duplex>
  timer?: NodeJS.Timeout | undefined
}

const Change = z.object({ topic: z.string(), id: z.string() })

export function createUpgradeLimits(deps: {
  listener: Listener
  findRoute: FindRoute
  log: Log
  graceMs: number
}): UpgradeLimits {
  const { listener, findRoute, log, graceMs } = deps
  /** By host. */
  const hosts = new Map<string, Watched>()

  async function check(watched: Watched): Promise<void> {
    const { host } = watched
    try {
      const route = await findRoute(host)
      if (route?.held || (!route && watched.domainId !== undefined)) return endAll(watched)
      // Its last connection may have been closed while the route was looked up.
      if (!route?.limitedUntil || watched.sockets.size === 0) stopTimer(watched)
      else watched.timer ??= setTimeout(() => void end(watched), graceMs)
    } catch (error) {
      log.warn({ err: error, host }, 'whether a cluster is limited could not be asked')
    }
  }

  function endAll({ sockets }: Watched): void {
    for (const socket of sockets) socket.destroy()
  }

  async function end(watched: Watched): Promise<void> {
    // The change that opened it may have been lost.
    await check(watched)
    if (watched.timer) endAll(watched)
  }

  const stops = [
    listener.on(changeChannel, (payload) => {
      const { topic, id } = Change.parse(payload)
      for (const watched of hosts.values())
        if ((topic === 'cluster' && watched.clusterId === id) || (topic === 'domain' && watched.domainId === id))
          void check(watched)
    }),
    listener.onResync(() => {
      for (const watched of hosts.values()) void check(watched)
    }),
  ]

  return {
    watch({ clusterId, domainId }, host, socket) {
      if (socket.destroyed) return () => undefined
      const watched: Watched = hosts.get(host) ?? { host, clusterId, domainId, sockets: new Set() }
      hosts.set(host, watched)
      watched.sockets.add(socket)
      void check(watched)
      return () => {
        watched.sockets.delete(socket)
        if (watched.sockets.size > 0) return
        stopTimer(watched)
        hosts.delete(host)
      }
    },
    close() {
      for (const stop of stops) stop()
      for (const watched of hosts.values()) stopTimer(watched)
    },
  }
}

function stopTimer(watched: Watched): void {
  clearTimeout(watched.timer)
  watched.timer = undefined
}
