/**
 * The hour of a rehearsal in which usage that is not billed yet comes to what its means cover. The job of each hour
 * finds it and has a bill written; between two things that fall due usage only grows, so that the hour is found by
 * halving.
 */
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Limits } from '../../accounts/index.ts'
import { isAtLimit } from '../usage/bill-usage.ts'
import { type CurrentUsageDeps, readCurrentUsage } from '../usage/current-usage.ts'
import type { Meters } from '../usage/meters.ts'
import { warningMinute } from '../usage/notices/warning-mails.ts'

const hourMs = 60 * 60_000
const minuteMs = 60_000

export interface LimitDeps extends Omit<CurrentUsageDeps, 'clock' | 'meters'> {
  /** Meters of assumed usage, as seen at a clock's time. */
  metersAt(clock: Clock): Meters
}

/**
 * When it does after `from` and by `until`, times of the account; undefined: not by then. `grows`: whether anything is
 * used from now on; else the first hour says it for all.
 */
export function foreseeLimit(
  deps: LimitDeps,
  db: Db,
  { userid, limits: { clockOffsetMs }, grows }: { userid: string; limits: Limits; grows: boolean },
): (from: Date, until: Date) => Promise<Date | undefined> {
  const wallAt = (tick: number) => tick * hourMs + warningMinute * minuteMs
  const tickOf = (time: Date) => Math.floor((time.getTime() - clockOffsetMs - warningMinute * minuteMs) / hourMs)
  async function isAt(tick: number): Promise<boolean> {
    const clock: Clock = { now: () => new Date(wallAt(tick)) }
    return isAtLimit(await readCurrentUsage({ ...deps, clock, meters: deps.metersAt(clock) }, db, userid))
  }
  let hasChecked = false
  return async (from, until) => {
    if (!grows && hasChecked) return undefined
    let [low, high] = [tickOf(from) + 1, tickOf(until)]
    if (low > high) return undefined
    if (!grows) high = low
    hasChecked = true
    if (!(await isAt(high))) return undefined
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (await isAt(middle)) high = middle
      else low = middle + 1
    }
    return new Date(wallAt(low) + clockOffsetMs)
  }
}
