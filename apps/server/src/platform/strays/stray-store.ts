/** Strays: what is at a place outside, was made by this deployment, and no row names. */
import { type Generated, type Selectable, sql } from 'kysely'
import type { Db } from '../db/index.ts'

/** The kinds of objects that a driver may find. */
export type StrayKind = 'instance' | 'zone' | 'files'

interface StraysTable {
  kind: StrayKind
  place: string
  object: string
  found_at: Date
  stopped_at: Generated<Date | null>
  doomed: Generated<boolean>
}

declare module '../db/index.ts' {
  interface Tables {
    strays: StraysTable
  }
}

export type StrayRow = Selectable<StraysTable>
type StrayKey = Pick<StrayRow, 'place' | 'object'>

/** Makes the strays of `place` exactly `objects`: those that are new were found `at`. Gives them. */
export async function replaceStrays(
  db: Db,
  { kind, place }: Pick<StrayRow, 'kind' | 'place'>,
  objects: readonly string[],
  at: Date,
): Promise<StrayRow[]> {
  await db
    .deleteFrom('strays')
    .where('place', '=', place)
    .where('object', '<>', sql<string>`all(${objects}::text[])`)
    .execute()
  if (objects.length === 0) return []
  await sql`insert into strays (kind, place, object, found_at)
    select ${kind}, ${place}, object, ${at} from unnest(${objects}::text[]) as found (object)
    on conflict do nothing`.execute(db)
  return await db.selectFrom('strays').selectAll().where('place', '=', place).orderBy('object').execute()
}

export async function saveStrayStopped(db: Db, { place, object }: StrayKey, at: Date): Promise<void> {
  await db
    .updateTable('strays')
    .set({ stopped_at: at })
    .where('place', '=', place)
    .where('object', '=', object)
    .execute()
}

export async function forgetStray(db: Db, { place, object }: StrayKey): Promise<void> {
  await db.deleteFrom('strays').where('place', '=', place).where('object', '=', object).execute()
}

/**
 * Restarts the count of days of all strays: those found before the operator's confirmation may be newer than this
 * database.
 */
export async function recountStrays(db: Db): Promise<void> {
  await db.deleteFrom('strays').where('doomed', '=', false).execute()
}

export async function listStrays(db: Db): Promise<StrayRow[]> {
  return await db.selectFrom('strays').selectAll().orderBy('found_at').orderBy('object').orderBy('place').execute()
}

/** Whether the operator said of any at this place that it goes. */
export async function isStrayDoomed(db: Db, place: string): Promise<boolean> {
  const query = db.selectFrom('strays').select('object').where('place', '=', place).where('doomed', '=', true)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

/** Has one stray, or with null all of them, removed by the next sweep; gives how many. */
export async function doomStrays(db: Db, object: string | null): Promise<number> {
  const query = db.updateTable('strays').set({ doomed: true })
  const { numUpdatedRows } = await (object === null ? query : query.where('object', '=', object)).executeTakeFirst()
  return Number(numUpdatedRows)
}
