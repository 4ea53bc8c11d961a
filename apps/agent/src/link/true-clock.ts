/**
 * The time as the control plane has it. Instances and home machines may be off by minutes, and codes that a wallet
 * signs are good for two: so what a wallet sees is stamped with this clock. It falls back to the machine's own.
 */
import type { Log } from '../kernel/log.ts'

export interface TrueClock {
  /** ms since the epoch */
  now(): number
  /** The control plane says that it is `time` (ms) now. */
  correct(time: number): void
}

/** Smaller differences are the message's journey, not the clock's fault. ms */
const toleratedMs = 2000

export function createTrueClock(log: Log, machine: () => number = Date.now): TrueClock {
  let offsetMs = 0
  return {
    now: () => machine() + offsetMs,
    correct(time) {
      const difference = time - machine()
      offsetMs = Math.abs(difference) > toleratedMs ? difference : 0
      if (offsetMs !== 0)
        log.warn(
          'link',
          `this machine's clock is ${Math.abs(Math.round(offsetMs / 1000))} s ${offsetMs > 0 ? 'behind' : 'ahead'}; corrected`,
        )
    },
  }
}
