/**
 * Whether the wall's clock can be believed. A jump makes everything due at once, so what only a deadline would do waits
 * (doubt `clock`) until the clock was steady for an hour and an outside clock, where one is reached, agrees.
 *
 *   running   wall time and monotonic time went on differently: a jump
 *   starting  a mark in the future: a jump. One of long ago: stopped for that long, where an outside clock agrees at
 *             once; where it disagrees a jump; where none is reached, what fell due since the mark waits (doubt `stop`)
 *   set back  a jump to an earlier time: what was written ahead is brought back (set-back.ts), at once and, for what
 *             was still being written then, when the doubt ends
 *
 * Writers: this, and `npm run admin -- clock accept`. Each process that acts on deadlines runs one; repeating it, or
 * running many, changes nothing.
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/index.ts'
import type { Log } from '../log.ts'
import { startTicker, type Ticker } from '../ticker.ts'
import { doubtStop, explainDoubt, findDoubt, raiseDoubt, settleDoubt } from './doubts.ts'
import { bringBackTimes, type StoredTimes } from './set-back.ts'

/** The difference allowed between two clocks, ms: network time corrections and slow disks stay below it. */
export const jumpMs = 10 * 60_000
/** How long a clock has to be steady, ms. */
export const steadyMs = 60 * 60_000
const markEveryMs = 60_000

interface ClockMarksTable {
  is_only: boolean
  at: Date
  steady_since: Date
}

declare module '../db/index.ts' {
  interface Tables {
    clock_marks: ClockMarksTable
  }
}

export interface ClockWatchDeps {
  db: Db
  clock: Clock
  log: Log
  /** The time of somebody else; undefined: nobody is reached. */
  readOutside(): Promise<Date | undefined>
  /** Never goes back, whatever happens to the wall's clock. Default: this process's. */
  monotonicMs?: () => number
  /** All there are, of all modules. */
  storedTimes: readonly StoredTimes[]
}

export interface ClockWatch {
  /** Compares with the mark, before the first act; then each minute. */
  start(): Promise<void>
  /** Compares now; before each act. Asks the database only where time jumped. */
  look(): Promise<void>
  /** Runs each minute: compares, writes the mark, and ends the doubt where that is due. */
  tick(): Promise<void>
  /** Told each time that the clock of this process was set back, once what is stored was brought back. */
  onSetBack(listener: () => void): void
  stop(): Promise<void>
}

export function createClockWatch(deps: ClockWatchDeps): ClockWatch {
  const { db, clock, log, readOutside, monotonicMs = () => performance.now() } = deps
  const read = () => ({ wall: clock.now().getTime(), mono: monotonicMs() })
  let last = read()
  let ticker: Ticker | undefined
  const listeners: (() => void)[] = []

  async function setBack(why: string): Promise<void> {
    await jumped(why)
    await bringBackTimes(db, deps.storedTimes, clock.now())
    for (const listener of listeners) listener()
  }

  async function jumped(why: string): Promise<void> {
    const now = clock.now()
    log.error({ why }, 'the clock jumped: what a deadline would destroy or charge waits; npm run admin -- clock accept')
    await raiseDoubt(db, 'clock', why, now)
    await explainDoubt(db, 'clock', why)
    await writeMark(db, { at: now, steady_since: now })
  }

  async function stopped(from: Date, now: Date): Promise<void> {
    const why = `nothing ran for ${minutes(now.getTime() - from.getTime())}, or the clock jumped`
    log.warn(
      { why },
      'what fell due meanwhile waits for an hour: no outside clock is reached; npm run admin -- clock accept',
    )
    await doubtStop(db, { from, why, at: now })
    await writeMark(db, { at: now, steady_since: now })
  }

  async function look(): Promise<void> {
    const now = read()
    const difference = now.wall - last.wall - (now.mono - last.mono)
    if (Math.abs(difference) <= jumpMs) return
    last = now
    const why = `the clock of a server jumped by ${minutes(difference)}`
    await (difference < 0 ? setBack(why) : jumped(why))
  }

  async function tick(): Promise<void> {
    await look()
    last = read()
    const now = clock.now()
    const mark = await findMark(db)
    if (mark && mark.at.getTime() - now.getTime() > jumpMs) return await setBack(ahead(mark.at, now))
    if (await isInDoubt(db)) await endDoubts(mark?.steady_since ?? now, now)
    await writeMark(db, { at: now })
  }

  async function endDoubts(steadySince: Date, now: Date): Promise<void> {
    if (now.getTime() - steadySince.getTime() < steadyMs) return
    const outside = await readOutside()
    if (outside && !agrees(outside, now)) {
      // A stop for which nobody vouched was a jump.
      await raiseDoubt(db, 'clock', differs(outside, now), now)
      return await explainDoubt(db, 'clock', differs(outside, now))
    }
    await trustClock(db, deps.storedTimes, now)
    log.info('the clock was steady for an hour: deadlines hold again')
  }

  return {
    look,
    tick,
    async start() {
      last = read()
      const now = clock.now()
      const mark = await findMark(db)
      if (!mark) await writeMark(db, { at: now, steady_since: now })
      else if (mark.at.getTime() - now.getTime() > jumpMs) await setBack(ahead(mark.at, now))
      else if (now.getTime() - mark.at.getTime() > jumpMs) {
        const outside = await readOutside()
        if (!outside) await stopped(mark.at, now)
        else if (!agrees(outside, now)) await jumped(differs(outside, now))
        else await writeMark(db, { at: now })
      }
      ticker = startTicker(markEveryMs, log, 'comparing the clock', tick)
    },
    async stop() {
      await ticker?.stop()
    },
    onSetBack: (listener) => void listeners.push(listener),
  }
}

/** The operator's word that the clock is right as it is; false where it was not in doubt. */
export async function acceptClock(db: Db, storedTimes: readonly StoredTimes[], now: Date): Promise<boolean> {
  const wasInDoubt = await isInDoubt(db)
  await writeMark(db, { at: now, steady_since: now })
  await trustClock(db, storedTimes, now)
  return wasInDoubt
}

async function trustClock(db: Db, storedTimes: readonly StoredTimes[], now: Date): Promise<void> {
  // A doubt about the clock began with a jump; after a stop nothing was ahead.
  if (await findDoubt(db, 'clock')) await bringBackTimes(db, storedTimes, now)
  for (const about of ofTime) await settleDoubt(db, about)
}

/** Doubts that end with an hour of a steady clock. */
const ofTime = ['clock', 'stop'] as const

async function isInDoubt(db: Db): Promise<boolean> {
  for (const about of ofTime) if (await findDoubt(db, about)) return true
  return false
}

async function findMark(db: Db): Promise<ClockMarksTable | undefined> {
  return await db.selectFrom('clock_marks').selectAll().executeTakeFirst()
}

async function writeMark(db: Db, changes: { at: Date; steady_since?: Date }): Promise<void> {
  await db
    .insertInto('clock_marks')
    .values({ is_only: true, steady_since: changes.at, ...changes })
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet(changes))
    .execute()
}

function agrees(outside: Date, now: Date): boolean {
  return Math.abs(outside.getTime() - now.getTime()) <= jumpMs
}

const minutes = (ms: number) => `${Math.round(ms / 60_000)} minutes`
const ahead = (mark: Date, now: Date) =>
  `a server wrote that it was ${mark.toISOString()}, and now it is ${now.toISOString()}`
const differs = (outside: Date, now: Date) =>
  `an outside clock says ${outside.toISOString()}, this one ${now.toISOString()}`
