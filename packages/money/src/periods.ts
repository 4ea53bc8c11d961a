/**
 * Billing periods: months from an anchor, counted in the account's zone. Period k runs from `addMonths(anchor, k)` to
 * `addMonths(anchor, k + 1)`, always from the anchor, so that 31 January goes to 28 February and on to 31 March.
 */

/** The zones of accounts. Neither has daylight saving time, so months are arithmetic. */
export const zones = ['UTC', 'UTC+8'] as const
export type Zone = (typeof zones)[number]

/** From its start to right before its end. */
export interface Period {
  readonly start: Date
  readonly end: Date
}

const dayMs = 86_400_000
const offsetMs: Record<Zone, number> = { UTC: 0, 'UTC+8': 8 * 3_600_000 }

/**
 * `anchor` moved by whole months: the same day and time of day in `zone`, or the last day of a month that is shorter.
 */
export function addMonths(anchor: Date, months: number, zone: Zone): Date {
  const local = new Date(anchor.getTime() + offsetMs[zone])
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = Math.min(local.getUTCDate(), lastDay)
  const timeOfDay = local.getTime() - Math.floor(local.getTime() / dayMs) * dayMs
  return new Date(Date.UTC(year, month, day) + timeOfDay - offsetMs[zone])
}

/** Period `index` from the anchor; the first has index 0. */
export function periodAt(anchor: Date, index: number, zone: Zone): Period {
  return { start: addMonths(anchor, index, zone), end: addMonths(anchor, index + 1, zone) }
}

/** The index of the period that holds `at`; negative before the anchor. */
export function periodIndexAt(anchor: Date, at: Date, zone: Zone): number {
  const [from, to] = [anchor, at].map((date) => new Date(date.getTime() + offsetMs[zone])) as [Date, Date]
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  return addMonths(anchor, months, zone) <= at ? months : months - 1
}

/** The day of `at` in the zone, as `2027-01-31`. */
export function dayInZone(at: Date, zone: Zone): string {
  return new Date(at.getTime() + offsetMs[zone]).toISOString().slice(0, 10)
}

/** The first instant of the day that holds `at` in the zone. */
export function startOfDay(at: Date, zone: Zone): Date {
  return new Date(Math.floor((at.getTime() + offsetMs[zone]) / dayMs) * dayMs - offsetMs[zone])
}
