import { refuse } from '../../../platform/refusal.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { isElsewhere } from '../reconcile/drill-elsewhere.ts'
import { findOpenWork } from '../records/backup-store.ts'
import { auditBackup, type BackupCommand } from './backup-command.ts'

/**
 * Ends the proof that is under way: work on the machine within seconds, a waiting request at once. A read by the store
 * cannot be ended.
 */
export async function cancelProof(deps: BackupDeps, command: BackupCommand): Promise<void> {
  const { trx, backup } = command
  const { chore } = await findOpenWork(trx, backup.id)
  if (chore && isElsewhere(chore)) {
    // There may be no task yet; the next reconcile ends it, and its cluster with it.
    await trx.updateTable('backup_chores').set({ cancel_asked: true }).where('id', '=', chore.id).execute()
  } else if (chore?.task_id && (chore.kind === 'check' || chore.kind === 'drill')) {
    await deps.agents.cancelTask(trx, chore.task_id)
  } else if (backup.prove_state === 'asked') {
    await trx
      .updateTable('backups')
      .set({ prove_state: null, prove_since: null, prove_reason: null })
      .where('id', '=', backup.id)
      .execute()
  } else refuse('backupNothingRuns')
  await auditBackup(command, 'backup.cancelProof')
}
