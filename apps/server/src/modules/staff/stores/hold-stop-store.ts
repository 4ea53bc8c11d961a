import type { Db } from '../../../platform/db/index.ts'

interface HoldStopsTable {
  hold_id: string
  cluster_id: string
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    hold_stops: HoldStopsTable
  }
}

/** Notes that a suspension stops a cluster, before it does; false: that is noted already. */
export async function noteStop(db: Db, stop: HoldStopsTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('hold_stops')
    .values(stop)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Clusters that were stopped by suspensions other than these. */
export async function listStops(
  db: Db,
  { ofOthersThan: ids }: { ofOthersThan: readonly string[] },
): Promise<HoldStopsTable[]> {
  const query = db.selectFrom('hold_stops').selectAll().orderBy('hold_id').orderBy('cluster_id')
  return await (ids.length === 0 ? query : query.where('hold_id', 'not in', ids)).execute()
}

export async function forgetStop(db: Db, { hold_id, cluster_id }: HoldStopsTable): Promise<void> {
  await db.deleteFrom('hold_stops').where('hold_id', '=', hold_id).where('cluster_id', '=', cluster_id).execute()
}
