/**
 * How long to wait before trying again: doubling from `firstMs`, at most `capMs`, and half of it by chance, so that a
 * thousand agents do not come back in the same instant after the control plane was away.
 */
export function createBackoff(firstMs = 200, capMs = 5000, random: () => number = Math.random) {
  let tries = 0
  return {
    /** ms */
    next(): number {
      const full = Math.min(capMs, firstMs * 2 ** tries)
      tries = Math.min(tries + 1, 16)
      return full / 2 + (random() * full) / 2
    },
    reset(): void {
      tries = 0
    },
  }
}
