export interface BackoffBounds {
  /** Longest wait after the first failure; it doubles with each further one. */
  firstMs: number
  longestMs: number
}

/**
 * ms to wait after `failures` failures in a row: anything up to the doubled wait ("full jitter"), so that a thousand
 * that lost the same server do not come back in the same instant. With `random` at 1 it is the whole wait, for
 * schedules that are kept and compared.
 */
export function backoffMs(
  failures: number,
  { firstMs, longestMs }: BackoffBounds,
  random: () => number = Math.random,
): number {
  // 2^30 ms is twelve days: more doublings would only lose precision.
  const doublings = Math.min(30, Math.max(0, failures - 1))
  return Math.ceil(Math.min(longestMs, firstMs * 2 ** doublings) * random())
}
