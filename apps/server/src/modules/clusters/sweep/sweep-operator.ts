/** What the operator sees of the sweeper, and may ask of it. */
import type { Db } from '../../../platform/db/index.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import { enqueueFullSweep } from '../reconcile/sweep.ts'
import { describePause, listPausedSweeps } from './provider-claim.ts'
import { doomStrays, listStrays } from './stray-store.ts'

export interface SweepState {
  /** Providers at which nothing is swept, each with a sentence that says why. */
  paused: { place: string; why: string }[]
  strays: { instanceId: string; place: string; foundAt: Date; stoppedAt: Date | null; doomed: boolean }[]
}

/** Where nothing is swept, and what is at a provider that no row names. */
export async function describeSweep(db: Db): Promise<SweepState> {
  const [paused, strays] = await Promise.all([listPausedSweeps(db), listStrays(db)])
  return {
    paused: paused.map((pause) => ({ place: pause.place, why: describePause(pause) })),
    strays: strays.map(({ instance_id, place, found_at, stopped_at, doomed }) => ({
      instanceId: instance_id,
      place,
      foundAt: found_at,
      stoppedAt: stopped_at,
      doomed,
    })),
  }
}

/** Has the next sweep take over every provider at which nothing is swept; gives their names. */
export async function resumeSweep(db: Db): Promise<string[]> {
  const rows = await db
    .updateTable('provider_claims')
    .set({ resume: true })
    .where('problem', 'is not', null)
    .returning('place')
    .execute()
  if (rows.length > 0) await enqueueFullSweep(db)
  return rows.map(({ place }) => place).sort()
}

/** Has one stray destroyed, or with `all` each of them; gives how many. */
export async function destroyStrays(db: Db, which: string): Promise<number> {
  const count = await doomStrays(db, which === 'all' ? null : which)
  if (count === 0 && which !== 'all') throw new OperatorError(`"${which}" is no stray. See npm run admin -- strays`)
  if (count > 0) await enqueueFullSweep(db)
  return count
}
