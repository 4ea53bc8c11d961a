/** Where a plan belongs, once a cluster that was made of its backup is active beside its own. */
import type { Caller } from '../../../platform/caller.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { movePlan } from '../reconcile/follow-activation.ts'
import { findOpenWork } from '../records/backup-store.ts'
import { type OfBackup, requireLiving, runBackupCommand } from './backup-command.ts'

/** The owner's answer: with `move` the plan goes to the new cluster, else it stays, and it is not asked again. */
export async function answerMove(
  deps: BackupDeps,
  caller: Caller,
  body: OfBackup & { move: boolean },
): Promise<Record<string, never>> {
  return await runBackupCommand(deps, caller, { call: 'backupMove', body }, async ({ trx, backup, at }) => {
    requireLiving(backup)
    const clusterId = backup.move_to ?? refuse('backupNoMove')
    if ((await findOpenWork(trx, backup.id)).restore) refuse('backupRestoreRuns')
    if (body.move) await movePlan(deps, { trx, at, backup, clusterId })
    else await trx.updateTable('backups').set({ move_to: null }).where('id', '=', backup.id).execute()
    return {}
  })
}
