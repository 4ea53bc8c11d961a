/** The value of a `datetime-local` field, as a time of the account's zone. */
import { type AccountZone, zoneOffsetMs } from '../../kit/format/billing-dates.ts'

/** `2026-04-04T10:02` of an instant, ms. */
export function inputOf(ms: number, zone: AccountZone): string {
  return new Date(ms + zoneOffsetMs[zone]).toISOString().slice(0, 16)
}

/** The instant as ISO 8601; undefined: nothing whole was typed. */
export function instantOf(input: string, zone: AccountZone): string | undefined {
  const ms = Date.parse(`${input}:00.000Z`)
  return Number.isNaN(ms) ? undefined : new Date(ms - zoneOffsetMs[zone]).toISOString()
}
