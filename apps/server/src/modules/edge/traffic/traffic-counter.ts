/**
 * Counts what the edge carries and adds it to the database every two seconds. Counted are the bytes of bodies and of
 * upgraded connections, as they travel (compressed if they are), when they pass; not headers, and not the edge's own
 * pages. A killed edge loses what passed since the last writing, two seconds at most; while the database is away the
 * counts stay in memory by the hour that they passed in, one entry per cluster and kind. It never counts twice: a
 * failed writing is known to have failed, but for a connection that breaks during COMMIT, where the bytes are counted a
 * second time at worst.
 */
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { startTicker } from '../../../platform/ticker.ts'
import type { CountedTraffic, Traffic, TrafficKind } from './traffic-store.ts'

const writeEveryMs = 2000
const hourMs = 60 * 60_000

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
  let passed = new Map<string, CountedTraffic>()
  /** Not written yet, by the hour, ms. */
  const waiting = new Map<number, Map<string, CountedTraffic>>()

  function count(clusterId: string, kind: TrafficKind, direction: keyof Traffic, bytes: number): void {
    entryOf(passed, clusterId, kind)[direction] += bytes
  }

  async function write(): Promise<void> {
    if (passed.size > 0) {
      const hour = Math.floor(clock.now().getTime() / hourMs) * hourMs
      const counted = waiting.get(hour) ?? new Map<string, CountedTraffic>()
      for (const { clusterId, kind, ...traffic } of passed.values()) {
        const entry = entryOf(counted, clusterId, kind)
        entry.in += traffic.in
        entry.out += traffic.out
      }
      waiting.set(hour, counted)
      passed = new Map()
    }
    for (const [hour, counted] of waiting) {
      await addTraffic(new Date(hour), [...counted.values()])
      waiting.delete(hour)
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

function entryOf(counted: Map<string, CountedTraffic>, clusterId: string, kind: TrafficKind): CountedTraffic {
  const key = `${clusterId} ${kind}`
  const known = counted.get(key)
  if (known) return known
  const entry = { clusterId, kind, in: 0, out: 0 }
  counted.set(key, entry)
  return entry
}
