/**
 * The mails of a rehearsal about usage that nears its quota or the cap. The job of each hour finds them; between
 * two things that fall due usage only grows and nothing else changes, so that the hour in which a mark is passed is
 * found by halving instead of by checking each.
 */
import type { Clock } from '../../../platform/clock.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { findAddressee, type Limits } from '../../accounts/index.ts'
import { readCurrentUsage } from '../usage/current-usage.ts'
import type { Meters } from '../usage/meters.ts'
import {
  listWarned,
  type WarningDeps,
  warningKeys,
  warningMinute,
  warnOfUsage,
} from '../usage/notices/warning-mails.ts'

const hourMs = 60 * 60_000
const minuteMs = 60_000

export interface Warnings {
  /** Writes what is warned of after `from` and until `until`, which are times of the account. */
  warn(from: Date, until: Date): Promise<void>
}

interface Watched {
  userid: string
  limits: Limits
  /** Keys of the mails that were written before. */
  sent: ReadonlySet<string>
  /** Whether anything is used from now on: else there is nothing to find after the first hour. */
  grows: boolean
}

interface ForeseeDeps extends Omit<WarningDeps, 'clock' | 'meters' | 'onStorageTurn' | 'onCapSet'> {
  /** Meters of assumed usage, as seen at a clock's time. */
  metersAt(clock: Clock): Meters
}

export async function foreseeWarnings(
  deps: ForeseeDeps,
  trx: Trx,
  { userid, limits, sent, grows }: Watched,
): Promise<Warnings> {
  const isWarned = (await findAddressee(trx, userid)) && (await listWarned(trx, deps.listClusterOwners)).has(userid)
  if (!isWarned) return { warn: async () => undefined }
  const known = new Set(sent)
  let hasChecked = false

  /** At an hour, by its number. */
  const at = (tick: number) => {
    const now = new Date(tick * hourMs + warningMinute * minuteMs)
    const clock: Clock = { now: () => now }
    return { ...deps, clock, meters: deps.metersAt(clock), onStorageTurn: async () => undefined }
  }
  const newsAt = async (tick: number) =>
    warningKeys(await readCurrentUsage(at(tick), trx, userid)).filter((key) => !known.has(key))

  /** The first hour of these with news, where the last has some. */
  async function findFirst(first: number, last: number): Promise<number> {
    let [low, high] = [first, last]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if ((await newsAt(middle)).length > 0) high = middle
      else low = middle + 1
    }
    return low
  }

  return {
    async warn(from, until) {
      // The job goes by the wall's time.
      const tickOf = (time: Date) =>
        Math.floor((time.getTime() - limits.clockOffsetMs - warningMinute * minuteMs) / hourMs)
      let first = tickOf(from) + 1
      const last = tickOf(until)
      while (first <= last) {
        if (!grows && hasChecked) return
        const end = grows ? last : first
        hasChecked = true
        if ((await newsAt(end)).length === 0) return
        const tick = await findFirst(first, end)
        const usage = await readCurrentUsage(at(tick), trx, userid)
        await warnOfUsage(at(tick), trx, { userid, usage, clockOffsetMs: limits.clockOffsetMs })
        for (const key of warningKeys(usage)) known.add(key)
        first = tick + 1
      }
    },
  }
}
