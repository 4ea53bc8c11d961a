/** When DNS is checked again (design/domains, "Steps"). All in ms. */
const shortestMs = 10_000
const longestMs = 10 * 60_000
/** So long nobody who adds a record waits longer than that. */
const eagerMs = 10 * 60_000
/** The checks of a step pause after this. */
export const giveUpMs = 7 * 24 * 60 * 60_000
/** A domain that is linked. */
export const dailyMs = 24 * 60 * 60_000
export const hourlyMs = 60 * 60_000
/** A claim that is not bound lapses after so long in a row without its record seen. */
export const proofKeptMs = 7 * 24 * 60 * 60_000
/** How long the owner of a linked domain that somebody else has proven can answer. */
export const contestMs = 7 * 24 * 60 * 60_000

/**
 * The check after one at `now` of a step whose checks began at `since`: every 10 s for ten minutes, then ever rarer, up
 * to 10 min; null after 7 days. In proportion to what has passed, so that a record that comes late is found about as
 * much later.
 */
export function nextCheck(since: Date, now: Date): Date | null {
  const passed = now.getTime() - since.getTime()
  if (passed >= giveUpMs) return null
  const gap = passed < eagerMs ? shortestMs : Math.min(longestMs, Math.round(passed / 6))
  return new Date(now.getTime() + gap)
}
