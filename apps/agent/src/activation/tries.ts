/**
 * How often a password may be tried. Two bounds: per visitor, so that one guesser does not lock the owner out, and
 * over all strangers, so that a guesser with many addresses gains nothing. A visitor that is known has only its own
 * bound: it is not kept out by what strangers do. In memory: a restart resets it, but restarting is slower
 * than waiting. A try counts when it begins, so parallel tries gain nothing either; a success takes it back.
 */
import { HttpProblem } from '../kernel/problem.ts'

export interface Tries {
  /** Counts a try of `visitor`; throws 429 tooManyTries when there were too many. */
  begin(visitor: string, isKnown?: boolean): void
  /** The last try was right: forgets the visitor's. */
  succeed(visitor: string, isKnown?: boolean): void
}

const maxVisitors = 10_000

/** `now`: ms of a clock that never goes back, or everybody would be kept out until the time that was. */
export function createTries(
  limits: { perVisitor: number; overall: number; windowMs: number },
  now = () => performance.now(),
): Tries {
  const byVisitor = new Map<string, number[]>()
  let all: number[] = []

  function refuseBeyond(times: number[], limit: number): void {
    if (times.length < limit) return
    const seconds = Math.max(1, Math.ceil(((times[0] ?? 0) + limits.windowMs - now()) / 1000))
    throw new HttpProblem(429, 'tooManyTries', `Too many attempts. Try again in ${seconds} s.`, seconds)
  }

  return {
    begin(visitor, isKnown = false) {
      const isRecent = (time: number) => time > now() - limits.windowMs
      all = all.filter(isRecent)
      const own = (byVisitor.get(visitor) ?? []).filter(isRecent)
      refuseBeyond(own, limits.perVisitor)
      if (!isKnown) {
        refuseBeyond(all, limits.overall)
        all.push(now())
      }
      byVisitor.delete(visitor) // set again below, so the map's order is by last try
      byVisitor.set(visitor, [...own, now()])
      const oldest = byVisitor.keys().next().value
      if (byVisitor.size > maxVisitors && oldest !== undefined) byVisitor.delete(oldest)
    },
    succeed(visitor, isKnown = false) {
      byVisitor.delete(visitor)
      if (!isKnown) all.pop()
    },
  }
}
