/** Validity times of signed messages. */
import { clockSkewMs } from '@atoll/contract/wire'

/** `expired`: `exp` has passed. `early`: `nbf` or `iat` is ahead of our clock, and so is the signer's, by `minutes`. */
export type TimesFault = { fault: 'expired'; minutes: number } | { fault: 'early'; minutes: number }

/**
 * Checks `nbf`, `iat` and `exp` (seconds, RFC 7519 §4.1) at `now` (ms) with `skewMs` of tolerance (wire: 30 s). Nothing
 * was signed in the future. An absent claim is not checked. `minutes` is the distance rounded to minutes, at least 1.
 */
export function checkTimes(
  claims: { nbf?: number | undefined; iat?: number | undefined; exp?: number | undefined },
  now: number,
  skewMs: number = clockSkewMs,
): TimesFault | undefined {
  if (claims.exp !== undefined && now - skewMs >= claims.exp * 1000)
    return { fault: 'expired', minutes: minutesBetween(claims.exp * 1000, now) }
  const begun = Math.max(claims.nbf ?? 0, claims.iat ?? 0) * 1000
  if (now + skewMs < begun) return { fault: 'early', minutes: minutesBetween(now, begun) }
  return undefined
}

/** The distance of two times in ms, in whole minutes, at least 1: what a person reads about a clock. */
export function minutesBetween(a: number, b: number): number {
  return Math.max(1, Math.round(Math.abs(a - b) / 60_000))
}
