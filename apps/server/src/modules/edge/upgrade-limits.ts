/**
 * Ends connections that were upgraded at a cluster which has become limited: what is under way may say its last for a
 * while. The change of a cluster is the reason to look; a connection that has just been joined is one, too, since the
 * change may have come while it was made.
 */
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import { changeChannel, type Listener } from '../../platform/events/index.ts'
import type { Log } from '../../platform/log.ts'
import type { FindRoute } from './route-cache.ts'

export interface UpgradeLimits {
  /**
   * Closes `socket`, which leads to that cluster, when it has been limited for `graceMs`; gives what to call once it
   * is closed.
   */
  watch(clusterId: string, host: string, socket: Duplex): () => void
  close(): void
}

interface Watched {
  host: string
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
  const clusters = new Map<string, Watched>()

  async function look(watched: Watched): Promise<void> {
    const { host } = watched
    try {
      const route = await findRoute(host)
      // Its last connection may have been closed while the route was looked up.
      if (!route?.limitedUntil || watched.sockets.size === 0) stopTimer(watched)
      else watched.timer ??= setTimeout(() => void end(watched), graceMs)
    } catch (error) {
      log.warn({ err: error, host }, 'whether a cluster is limited could not be asked')
    }
  }

  async function end(watched: Watched): Promise<void> {
    // The change that opened it may have been lost.
    await look(watched)
    if (watched.timer) for (const socket of watched.sockets) socket.destroy()
  }

  const stops = [
    listener.on(changeChannel, (payload) => {
      const { topic, id } = Change.parse(payload)
      const watched = topic === 'cluster' ? clusters.get(id) : undefined
      if (watched) void look(watched)
    }),
    listener.onResync(() => {
      for (const watched of clusters.values()) void look(watched)
    }),
  ]

  return {
    watch(clusterId, host, socket) {
      if (socket.destroyed) return () => undefined
      const watched = clusters.get(clusterId) ?? { host, sockets: new Set() }
      clusters.set(clusterId, watched)
      watched.sockets.add(socket)
      void look(watched)
      return () => {
        watched.sockets.delete(socket)
        if (watched.sockets.size > 0) return
        stopTimer(watched)
        clusters.delete(clusterId)
      }
    },
    close() {
      for (const stop of stops) stop()
      for (const watched of clusters.values()) stopTimer(watched)
    },
  }
}

function stopTimer(watched: Watched): void {
  clearTimeout(watched.timer)
  watched.timer = undefined
}
