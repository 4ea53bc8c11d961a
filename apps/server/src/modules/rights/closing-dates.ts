/** When what of an account that closes ends. Pure. */
import { closingDays, nameRestYears } from '@atoll/contract/accounts'

const dayMs = 24 * 60 * 60_000
/** The owner is reminded so long before the end. */
export const reminderMs = 3 * dayMs

export interface ClosingDates {
  until: Date
  nameUntil: Date
  /** To the end of that year. */
  invoicesUntil: Date
}

/** Of an account that is closed at `since`. */
export function closingDates(since: Date, retentionYears: number): ClosingDates {
  const until = new Date(since.getTime() + closingDays * dayMs)
  return { until, nameUntil: nameRestsUntil(until), invoicesUntil: keptUntil(until, retentionYears) }
}

/** Of a name whose account ended then. */
export function nameRestsUntil(at: Date): Date {
  const until = new Date(at)
  until.setUTCFullYear(at.getUTCFullYear() + nameRestYears)
  return until
}

/** Of the invoices of an account that ended then: the last instant of the last year. */
export function keptUntil(at: Date, retentionYears: number): Date {
  return new Date(Date.UTC(at.getUTCFullYear() + retentionYears + 1, 0, 1) - 1)
}
