/**
 * Counts what the edge carries and adds it to the database every two seconds. Counted are the bytes of bodies and of
 * upgraded connections, as they travel (compressed if they are), when they pass; not headers, and not the edge's own
 * pages. A killed edge loses what passed since the last writing, two seconds at most; while the database is away the
 * counts stay in memory, one entry per cluster and kind. It never counts twice: a failed writing is known to have
 * failed, but for a connection that breaks during COMMIT, where the bytes are counted a second time at worst.
 */
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { startTicker } from '../../platform/ticker.ts'
import type { CountedTraffic, Traffic, TrafficKind } from './traffic-store.ts'

const writeEveryMs = 2000

export interface TrafficCounter {
  count(clusterId: string, kind: TrafficKind, direction: keyof Traffic, bytes: number): void
  /** Writes what is left; fails when that is lost. */
  close(): Promise<void>
}

export interface TrafficCounterDeps {
  clock: Clock
  log: Log
  /** All of it or nothing. */
  addTraffic(at: Date, counted: readonly CountedTraffic[]): Promise<void>
}

export function createTrafficCounter({ clock, log, addTraffic }: TrafficCounterDeps): TrafficCounter {
  let waiting = new Map<string, CountedTraffic>()

  function count(clusterId: string, kind: TrafficKind, direction: keyof Traffic, bytes: number): void {
    const key = `${clusterId} ${kind}`
    const traffic = waiting.get(key) ?? { clusterId, kind, in: 0, out: 0 }
    traffic[direction] += bytes
    waiting.set(key, traffic)
  }

  async function write(): Promise<void> {
    if (waiting.size === 0) return
    const batch = [...waiting.values()]
    waiting = new Map()
    try {
      await addTraffic(clock.now(), batch)
    } catch (error) {
      for (const { clusterId, kind, ...traffic } of batch) {
        count(clusterId, kind, 'in', traffic.in)
        count(clusterId, kind, 'out', traffic.out)
      }
      throw error
    }
  }

  const ticker = startTicker(writeEveryMs, log, 'writing traffic', write)
  return {
    count,
    async close() {
      await ticker.stop()
      await write().catch((error: unknown) => {
        throw new Error('the last traffic was not written', { cause: error })
      })
    },
  }
}
