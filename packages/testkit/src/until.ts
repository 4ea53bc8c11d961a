import { setTimeout as delay } from 'node:timers/promises'
import { patienceMs } from './patience.ts'

interface UntilOptions {
  /** ms; default `patienceMs`. */
  timeoutMs?: number
  /** Pause between two probes, ms; default 50. */
  intervalMs?: number
  /** Added to the message when time runs out: what is known about why. */
  onTimeout?: () => string | Promise<string>
}

/**
 * Asks `probe` until it answers something other than `undefined`, `null` or `false`, and returns that.
 * A probe that throws counts as "not yet"; its last error becomes the cause when time runs out.
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  { timeoutMs = patienceMs, intervalMs = 50, onTimeout }: UntilOptions = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = Date.now() + timeoutMs
  let lastError: unknown
  for (;;) {
    try {
      const answer = await probe()
      lastError = undefined
      if (answer !== undefined && answer !== null && answer !== false) return answer as NonNullable<Exclude<T, false>>
    } catch (error) {
      lastError = error
    }
    if (Date.now() > deadline) {
      const details = onTimeout ? `\n${await onTimeout()}` : ''
      throw new Error(`not within ${timeoutMs} ms: ${what}${details}`, { cause: lastError })
    }
    await delay(intervalMs)
  }
}
