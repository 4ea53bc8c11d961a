/**
 * Instances that a provider has and that no living row names.
 *   given up  its row is ended: this database decided to remove it, and it is destroyed at once
 *   stray     no row knows it: platform/strays removes it in due time
 *
 * Providers are asked before the rows are read, because a row is always written before its instance is created.
 */
import { sql } from 'kysely'
import { findHold } from '../../../platform/careful/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import { maintainStrays } from '../../../platform/strays/index.ts'
import type { ProviderPlace } from '../../compute/index.ts'
import { isEnded } from '../lifecycle/cluster-state.ts'
import { sourceOf } from './provider-sources.ts'

/** `keepMs`: how long a stray is kept. Brings what is `present` at a provider and not named one step further. */
export async function sweepStrays(
  db: Db,
  { place, provider }: ProviderPlace,
  present: readonly string[],
  terms: { now: Date; keepMs: number; log: Log },
): Promise<void> {
  const { givenUp, unknown } = await sortUnnamed(db, present)
  // Its row may have been of another time.
  const source = sourceOf({ place })
  const isHeld = await findHold(db, { waits: 'deadline', source })
  for (const instanceId of isHeld ? [] : givenUp) {
    try {
      await provider.destroy(instanceId)
      terms.log.warn({ instanceId, place }, 'an instance that its cluster gave up was destroyed')
    } catch (error) {
      terms.log.warn({ err: error, instanceId, place }, 'an instance that was given up could not be removed yet')
    }
  }
  const found = {
    kind: 'instance' as const,
    place,
    source,
    stop: (id: string) => provider.stop(id),
    remove: (id: string) => provider.destroy(id),
  }
  await maintainStrays(db, found, unknown, terms)
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
