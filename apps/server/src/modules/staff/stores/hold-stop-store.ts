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

/** Notes that a suspension stops a cluster, before it does. */
export async function noteStop(db: Db, stop: HoldStopsTable): Promise<void> {
  await db
    .insertInto('hold_stops')
    .values(stop)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function listStops(db: Db): Promise<HoldStopsTable[]> {
  return await db.selectFrom('hold_stops').selectAll().orderBy('hold_id').orderBy('cluster_id').limit(1000).execute()
}

export async function forgetStop(db: Db, { hold_id, cluster_id }: HoldStopsTable): Promise<void> {
  await db.deleteFrom('hold_stops').where('hold_id', '=', hold_id).where('cluster_id', '=', cluster_id).execute()
}
