import { formatClock } from '../../kit/format/times.ts'

const firstHour = '01:00'
const longMs = 4 * 60 * 60_000
/** Zones differ from UTC by quarters of an hour. */
const stepMs = 15 * 60_000

/** From one to five o'clock of the next night, or of this one while it lasts, in `zone`; ms. */
export function tonight(now: number, zone: string): { from: number; to: number } {
  let from = (Math.floor((now - longMs) / stepMs) + 1) * stepMs
  while (formatClock(from, 'en-US', zone) !== firstHour) from += stepMs
  return { from, to: from + longMs }
}
