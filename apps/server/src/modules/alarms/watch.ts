/**
 * Checks each minute for conditions that need an operator, in each process of the api and of the worker, since either
 * may be the one that is down. Sending a notice and recording it are one transaction of the process that holds the
 * lock: if it is killed between the two, the same notice is sent twice rather than never.
 */
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Log } from '../../platform/log.ts'
import { startTicker, type Ticker } from '../../platform/ticker.ts'
import { asOnlyTeller, listAlarms, saveNotices } from './alarm-store.ts'
import { decideNotices, type Notice, nameOn, type Seen, type Severity } from './decide.ts'

export interface Condition {
  /** For good: rows and receivers know it by this. */
  name: string
  severity: Severity
  /** Each machine has its own. */
  isOfMachine?: true
  /** Whether this process knows how it is; absent: it looks. */
  isKnown?(): boolean
  /** The problem in words, with what to do; undefined: there is none. */
  find(): Promise<string | undefined>
}

export interface WatchDeps {
  db: Db
  clock: Clock
  log: Log
  conditions: readonly Condition[]
  /** This machine's host name. */
  host: string
  /** By name, how often in a row this process has found a condition well: kept between looks. */
  wells: Map<string, number>
  /** Throws unless somebody has them; they are told again then. */
  tell(notices: readonly Notice[]): Promise<void>
}

const everyMs = 60_000
/**
 * So many checks in a row have to be well before an end is reported: an intermittent condition would else be mailed
 * each minute.
 */
export const looksUntilEnd = 3

export function startAlarmWatch(deps: Omit<WatchDeps, 'wells'>): Ticker {
  const wells: WatchDeps['wells'] = new Map()
  return startTicker(everyMs, deps.log, 'telling the operator', () => watchOnce({ ...deps, wells }))
}

export async function watchOnce({ db, clock, log, conditions, host, wells, tell }: WatchDeps): Promise<void> {
  const ofMachines = conditions.flatMap(({ name, isOfMachine }) => (isOfMachine ? [name] : []))
  const seen = await Promise.all(
    conditions.map((condition) =>
      look(condition.isOfMachine ? { ...condition, name: nameOn(host, condition.name) } : condition, log),
    ),
  )
  const steady = seen.map((one) => holdBack(one, wells))
  await asOnlyTeller(db, async (trx) => {
    const now = clock.now()
    const notices = decideNotices(await listAlarms(trx), steady, now, ofMachines)
    if (notices.length === 0) return
    await saveNotices(trx, notices, now)
    await tell(notices)
    for (const { name, state, text } of notices) log.warn({ alarm: name, state, text }, 'the operator was told')
  })
}

/** One that has not been well for long counts as not looked at. */
function holdBack(seen: Seen, wells: WatchDeps['wells']): Seen {
  if (seen.found.state !== 'well') {
    wells.delete(seen.name)
    return seen
  }
  const looks = (wells.get(seen.name) ?? 0) + 1
  wells.set(seen.name, looks)
  return looks < looksUntilEnd ? { ...seen, found: { state: 'unknown' } } : seen
}

async function look({ name, severity, isKnown, find }: Condition, log: Log): Promise<Seen> {
  if (isKnown?.() === false) return { name, severity, found: { state: 'unknown' } }
  try {
    const text = await find()
    return { name, severity, found: text === undefined ? { state: 'well' } : { state: 'holds', text } }
  } catch (error) {
    log.warn({ err: error, alarm: name }, 'an alarm could not be looked at')
    return { name, severity, found: { state: 'unknown' } }
  }
}
