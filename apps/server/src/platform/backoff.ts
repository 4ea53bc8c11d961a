/** ms to wait after `failures` failures in a row: `firstMs` after the first, doubling, at most `longestMs`. */
export function backoffMs(failures: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number {
  // 2^30 ms is twelve days: more doublings would only lose precision.
  return Math.min(longestMs, firstMs * 2 ** Math.min(30, Math.max(0, failures - 1)))
}
