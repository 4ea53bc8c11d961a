import type { BackupDeps } from '../backups-deps.ts'
import { nextDrillAt } from './drill.ts'
import type { BackupFacts } from './facts.ts'
import { nextCheckAt } from './prove.ts'

/** Delay before the next reconcile for work that is due and could not be started, ms. */
const againMs = 3600_000

/** Schedules the next reconcile for checks and drills, which neither a slot nor a person triggers. */
export async function planNextReconcile(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  const { trx, at, backup } = facts
  const due = [await nextCheckAt(deps, facts), await nextDrillAt(facts)].flatMap((each) => each?.getTime() ?? [])
  const next = due.length > 0 ? new Date(Math.max(Math.min(...due), at.getTime() + againMs)) : null
  await trx.updateTable('backups').set({ look_at: next }).where('id', '=', backup.id).execute()
}
