import { z } from 'zod'
import type { WireFieldReason } from './field-reasons.ts'

/** A name of the time-zone database that this runtime knows, such as Europe/Berlin. */
export const TimeZone = z
  .string()
  .min(1)
  .max(64)
  .refine(isTimeZone, 'timeZone' satisfies WireFieldReason)

function isTimeZone(name: string): boolean {
  try {
    // An offset such as +02:00 has no summer time, and is not what a place's clock shows.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
