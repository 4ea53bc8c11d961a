import { type AccountZone, zoneOffsetMs } from '../../kit/format/billing-dates.ts'

const dayMs = 24 * 60 * 60_000

/** A span of days, both of them included, as the calls take it: from the first's midnight to that after the last. */
export function spanOf(
  { from, to }: { from?: string; to?: string },
  zone: AccountZone,
): { from?: string; to?: string } {
  // Days in the wrong order would be refused; they are read as they were meant.
  const [first, last] = from && to && from > to ? [to, from] : [from, to]
  return {
    ...(first && { from: new Date(midnight(first, zone)).toISOString() }),
    ...(last && { to: new Date(midnight(last, zone) + dayMs).toISOString() }),
  }
}

function midnight(day: string, zone: AccountZone): number {
  return Date.parse(`${day}T00:00:00Z`) - zoneOffsetMs[zone]
}
