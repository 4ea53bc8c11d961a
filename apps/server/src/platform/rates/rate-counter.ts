/**
 * How often something may happen, counted in this process: it protects the process, and n copies allow n times as much.
 * For each key one time is kept, at which nothing of it counts any more (the generic cell rate algorithm): as many as
 * a minute allows may come at once, after which room for one more comes back at the same pace.
 */
export interface RateCounter {
  /** Counts one under `key` where `most` a minute leave room; what is refused counts nothing. */
  take(key: string, most: number): Taken
}

export interface Taken {
  isAllowed: boolean
  /** How many more may come now. */
  left: number
  /** Until there is room for one more, s; 0 where there is. */
  waitSeconds: number
  /** Until all of it is free again, s. */
  resetSeconds: number
}

const perMs = 60_000
/** Keys that are kept, some 10 MB; beyond them the oldest begin at nothing. */
const mostKeys = 50_000

/** Rounded up; a sum of many fractions of a millisecond is above a whole second by less than one of them. */
const wholeSeconds = (ms: number) => Math.ceil(ms / 1000 - 0.000_01)

/** `now`: ms of a clock that never goes back. */
export function createRateCounter(now: () => number = () => performance.now()): RateCounter {
  const fullAt = new Map<string, number>()

  function makeRoom(at: number): void {
    for (const [key, full] of fullAt) if (full <= at) fullAt.delete(key)
    // In the order in which they came.
    for (const key of fullAt.keys()) {
      if (fullAt.size < mostKeys * 0.9) break
      fullAt.delete(key)
    }
  }

  return {
    take(key, most) {
      const at = now()
      const gap = perMs / most
      const before = Math.max(fullAt.get(key) ?? at, at)
      const isAllowed = before + gap <= at + perMs + gap / 1000
      const after = isAllowed ? before + gap : before
      if (isAllowed) {
        if (fullAt.size >= mostKeys && !fullAt.has(key)) makeRoom(at)
        fullAt.set(key, after)
      }
      const room = at + perMs - after
      return {
        isAllowed,
        left: Math.max(0, Math.floor(room / gap + 0.001)),
        waitSeconds: room >= gap ? 0 : Math.max(1, wholeSeconds(gap - room)),
        resetSeconds: wholeSeconds(after - at),
      }
    },
  }
}
