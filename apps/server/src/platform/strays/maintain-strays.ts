/**
 * The one way in which what no row names is taken away, whatever driver finds it.
 *
 *   found ─▶ listed ─▶ stopped, where that can be undone ─▶ removed after the days set, or at the operator's word
 *
 * While the deployment is careful, or its clock in doubt, it is only listed, and the operator decides: a database that
 * lost rows would otherwise take what is customers' for leftovers. Repeating it changes nothing.
 */
import { type Asked, findHold } from '../careful/index.ts'
import type { Db } from '../db/index.ts'
import type { Log } from '../log.ts'
import { forgetStray, replaceStrays, type StrayKind, type StrayRow, saveStrayStopped } from './stray-store.ts'

export interface StrayPlace {
  kind: StrayKind
  /** Names it towards the operator. */
  place: string
  /** The source that first has to confirm that it knows nothing newer than this database. */
  source: Asked
  /** With all that it keeps; undefined: it cannot be stopped without being lost. */
  stop?: (object: string) => Promise<void>
  /** Safe to repeat. */
  remove(object: string): Promise<void>
}

export interface StrayTerms {
  now: Date
  /** How long a stray is kept, ms. */
  keepMs: number
  log: Log
}

/**
 * Brings what is at a place and `unknown` one step further. One that fails is left to the next sweep. The place is
 * asked what it has before rows are read, and a row is always there before its object.
 */
export async function maintainStrays(
  db: Db,
  place: StrayPlace,
  unknown: readonly string[],
  { now, keepMs, log }: StrayTerms,
): Promise<void> {
  const isHeld = (await findHold(db, { waits: 'deadline', source: place.source })) !== undefined
  for (const stray of await replaceStrays(db, place, unknown, now)) {
    const about = { kind: stray.kind, stray: stray.object, place: stray.place }
    const removeAt = new Date(stray.found_at.getTime() + keepMs)
    const step = decideStray(stray, { isHeld, isDue: now >= removeAt, canStop: place.stop !== undefined })
    try {
      if (step === 'remove') {
        await place.remove(stray.object)
        await forgetStray(db, stray)
        log.warn({ ...about, doomed: stray.doomed }, 'what no row names was removed')
      } else if (step === 'stop') {
        await place.stop?.(stray.object)
        await saveStrayStopped(db, stray, now)
        log.warn({ ...about, removeAt }, 'what no row names was stopped; npm run admin -- strays')
      }
    } catch (error) {
      log.warn({ err: error, ...about }, 'what no row names could not be taken away yet')
    }
  }
}

/** Pure. One that an operator starts again, to investigate, is not stopped a second time. */
export function decideStray(
  { doomed, stopped_at }: Pick<StrayRow, 'doomed' | 'stopped_at'>,
  { isHeld, isDue, canStop }: { isHeld: boolean; isDue: boolean; canStop: boolean },
): 'remove' | 'stop' | 'list' {
  if (doomed) return 'remove'
  if (isHeld) return 'list'
  if (isDue) return 'remove'
  return canStop && stopped_at === null ? 'stop' : 'list'
}
