import type { BackupDeps } from '../backups-deps.ts'
import { nextDrillAt } from './drill.ts'
import { nextCheckAt } from './prove.ts'
import type { BackupWorld } from './world.ts'

/** Delay before the next reconcile for work that is due and could not be started, ms. */
const againMs = 3600_000

/** Schedules the next reconcile for checks and drills, which neither a slot nor a person triggers. */
export async function planNextReconcile(deps: BackupDeps, world: BackupWorld): Promise<void> {
  const { trx, at, backup } = world
  const due = [await nextCheckAt(deps, world), await nextDrillAt(world)].flatMap((each) => each?.getTime() ?? [])
  const next = due.length > 0 ? new Date(Math.max(Math.min(...due), at.getTime() + againMs)) : null
  await trx.updateTable('backups').set({ look_at: next }).where('id', '=', backup.id).execute()
}
