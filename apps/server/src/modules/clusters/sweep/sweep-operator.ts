/** The operator's view of the sweepers, and the operator's commands to them. */
import { describePause, listPausedPlaces, resumeClaims } from '../../../platform/careful/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import { doomStrays, listStrays, recountStrays, type StrayKind } from '../../../platform/strays/index.ts'
import { enqueueFullSweep } from './sweep.ts'

export interface SweepState {
  /** Places at which nothing is swept, each with a sentence that says why. */
  paused: { place: string; why: string }[]
  strays: { kind: StrayKind; object: string; place: string; foundAt: Date; stoppedAt: Date | null; doomed: boolean }[]
}

/** Where nothing is swept, and what is at any place outside that no row names. */
export async function describeSweep(db: Db): Promise<SweepState> {
  const [paused, strays] = await Promise.all([listPausedPlaces(db), listStrays(db)])
  return {
    paused: paused.map((pause) => ({ place: pause.place, why: describePause(pause) })),
    strays: strays.map(({ kind, object, place, found_at, stopped_at, doomed }) => ({
      kind,
      object,
      place,
      doomed,
      foundAt: found_at,
      stoppedAt: stopped_at,
    })),
  }
}

/** Has the next sweep take over every place at which nothing is swept; gives their names. */
export async function resumeSweep(db: Db): Promise<string[]> {
  const places = await resumeClaims(db)
  await recountStrays(db)
  await enqueueFullSweep(db)
  return places
}

/** Has one stray removed, or with `all` each of them; gives how many. */
export async function destroyStrays(db: Db, which: string): Promise<number> {
  const count = await doomStrays(db, which === 'all' ? null : which)
  if (count === 0 && which !== 'all') throw new OperatorError(`"${which}" is no stray. See npm run admin -- strays`)
  if (count > 0) await enqueueFullSweep(db)
  return count
}
