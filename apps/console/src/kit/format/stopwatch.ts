import type { Translate } from '../../locales/text.ts'

/** Up to here tenths matter, ms. */
const shortMs = 10_000

/**
 * How long something took or takes: `0.3 s` below ten seconds, then as a stopwatch. Countdowns are stopwatches alone.
 */
export function formatDuration(ms: number, t: Translate): string {
  if (ms >= shortMs) return formatStopwatch(ms)
  // Cut, as the stopwatch cuts: 9.96 s is not yet ten.
  return t('common.seconds', { seconds: (Math.floor(Math.max(0, ms) / 100) / 10).toFixed(1) })
}

/** A running or finished stretch of time as `0:08`, `12:40` or `1:02:09`. */
export function formatStopwatch(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  const tail = `${String(minutes).padStart(hours > 0 ? 2 : 1, '0')}:${String(seconds).padStart(2, '0')}`
  return hours > 0 ? `${hours}:${tail}` : tail
}
