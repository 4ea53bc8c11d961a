/** Strays: instances at a provider that no row of `instances` names. */
import { type Generated, type Selectable, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'

interface StraysTable {
  instance_id: string
  place: string
  found_at: Date
  stopped_at: Generated<Date | null>
  doomed: Generated<boolean>
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    strays: StraysTable
  }
}

export type StrayRow = Selectable<StraysTable>

/** Makes the strays of `place` exactly `instanceIds`: those that are new were found `at`. Gives them. */
export async function replaceStrays(
  db: Db,
  place: string,
  instanceIds: readonly string[],
  at: Date,
): Promise<StrayRow[]> {
  await db
    .deleteFrom('strays')
    .where('place', '=', place)
    .where('instance_id', '<>', sql<string>`all(${instanceIds}::text[])`)
    .execute()
  if (instanceIds.length === 0) return []
  await db
    .insertInto('strays')
    .values(instanceIds.map((instance_id) => ({ instance_id, place, found_at: at })))
    .onConflict((conflict) => conflict.column('instance_id').doNothing())
    .execute()
  return await db.selectFrom('strays').selectAll().where('place', '=', place).orderBy('instance_id').execute()
}

export async function saveStrayStopped(db: Db, instanceId: string, at: Date): Promise<void> {
  await db.updateTable('strays').set({ stopped_at: at }).where('instance_id', '=', instanceId).execute()
}

export async function forgetStray(db: Db, instanceId: string): Promise<void> {
  await db.deleteFrom('strays').where('instance_id', '=', instanceId).execute()
}

export async function forgetStrays(db: Db, place: string): Promise<void> {
  await db.deleteFrom('strays').where('place', '=', place).execute()
}

export async function listStrays(db: Db): Promise<StrayRow[]> {
  return await db.selectFrom('strays').selectAll().orderBy('found_at').orderBy('instance_id').execute()
}

/** Has one stray, or with null all of them, destroyed by the next sweep; gives how many. */
export async function doomStrays(db: Db, instanceId: string | null): Promise<number> {
  const query = db.updateTable('strays').set({ doomed: true })
  const { numUpdatedRows } = await (instanceId === null
    ? query
    : query.where('instance_id', '=', instanceId)
  ).executeTakeFirst()
  return Number(numUpdatedRows)
}
