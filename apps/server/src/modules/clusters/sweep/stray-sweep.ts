/**
 * What a provider has and no living row names.
 *   given up  its row is ended: this database decided that it goes, and it is destroyed at once
 *   stray     no row knows it: it is stopped and noted, and destroyed after `keepMs` or at the operator's word. A
 *             database that lost rows would otherwise take customers' instances for leftovers
 * Providers are asked before the rows are read: a row is always there before its instance.
 */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import type { ComputeProvider, ProviderPlace } from '../../compute/index.ts'
import { isEnded } from '../lifecycle/cluster-state.ts'
import { forgetStray, replaceStrays, type StrayRow, saveStrayStopped } from './stray-store.ts'

export interface StraySweep {
  now: Date
  /** How long a stray is kept, ms. */
  keepMs: number
  log: Log
}

/** Notes what no row knows, and touches nothing: a restored database may be older than what it finds. */
export async function noteStrays(db: Db, place: string, present: readonly string[], now: Date): Promise<void> {
  const { unknown } = await sortUnnamed(db, present)
  await replaceStrays(db, place, unknown, now)
}

/** Brings what is `present` at a provider and not named one step further. One that fails is left to the next sweep. */
export async function sweepStrays(
  db: Db,
  { place, provider }: ProviderPlace,
  present: readonly string[],
  { now, keepMs, log }: StraySweep,
): Promise<void> {
  const { givenUp, unknown } = await sortUnnamed(db, present)
  const tried = async (instanceId: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      log.warn({ err: error, instanceId, place }, 'an instance that no cluster names could not be removed yet')
    }
  }
  for (const instanceId of givenUp) {
    await tried(instanceId, async () => {
      await provider.destroy(instanceId)
      log.warn({ instanceId, place }, 'an instance that its cluster gave up was destroyed')
    })
  }
  for (const stray of await replaceStrays(db, place, unknown, now)) {
    await tried(stray.instance_id, () => sweepStray(db, provider, stray, { now, keepMs, log }))
  }
}

async function sweepStray(
  db: Db,
  provider: ComputeProvider,
  { instance_id: instanceId, place, found_at, stopped_at, doomed }: StrayRow,
  { now, keepMs, log }: StraySweep,
): Promise<void> {
  const destroyAt = new Date(found_at.getTime() + keepMs)
  if (doomed || now >= destroyAt) {
    await provider.destroy(instanceId)
    await forgetStray(db, instanceId)
    log.warn({ instanceId, place, doomed }, 'an instance that no row names was destroyed')
    return
  }
  // Once: one that an operator starts again, to investigate, stays.
  if (stopped_at !== null) return
  await provider.stop(instanceId)
  await saveStrayStopped(db, instanceId, now)
  log.warn({ instanceId, place, destroyAt }, 'an instance that no row names was stopped; npm run admin -- strays')
}

async function sortUnnamed(db: Db, present: readonly string[]): Promise<{ givenUp: string[]; unknown: string[] }> {
  if (present.length === 0) return { givenUp: [], unknown: [] }
  const rows = await db
    .selectFrom('instances')
    .select(['id', 'status'])
    .where('id', '=', sql<string>`any(${present}::text[])`)
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  return {
    givenUp: rows.filter(({ status }) => isEnded(status)).map(({ id }) => id),
    unknown: present.filter((id) => !known.has(id)),
  }
}
