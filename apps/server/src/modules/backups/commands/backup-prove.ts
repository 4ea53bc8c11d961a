/** Asking for a proof, and answering an alarm. */
import type { backupAnswerAlarm } from '@atoll/contract/backups'
import type { CallBody } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { auditBackup, type OfBackup, requireLiving, runBackupCommand } from './backup-command.ts'
import { requireCluster } from './backup-run.ts'

type None = Record<string, never>

/** While one is under way, it is that one. */
export async function proveBackup(deps: BackupDeps, caller: Caller, body: OfBackup): Promise<None> {
  return await runBackupCommand(deps, caller, { call: 'backupProve', body }, async (command) => {
    const { trx, backup, at } = command
    requireLiving(backup)
    await requireCluster(deps, command)
    if (!backup.has_repository) refuse('backupNothingStored')
    if (backup.prove_state !== null) return {}
    await trx
      .updateTable('backups')
      .set({ prove_state: 'asked', prove_since: at, prove_reason: null })
      .where('id', '=', backup.id)
      .execute()
    await auditBackup(command, 'backup.prove')
    return {}
  })
}

/** `expected`: later runs are measured by this one, and retention goes on. Else everything stays as it is. */
export async function answerAlarm(
  deps: BackupDeps,
  caller: Caller,
  body: CallBody<typeof backupAnswerAlarm>,
): Promise<None> {
  return await runBackupCommand(deps, caller, { call: 'backupAnswerAlarm', body }, async (command) => {
    const { trx, backup } = command
    requireLiving(backup)
    // The answer must match the alarm that was shown: another alarm may have come since.
    if (backup.alarm === null || backup.alarm_snapshot_id !== body.snapshotId) return refuse('backupNoAlarm')
    const { received_at } = await trx
      .selectFrom('snapshots')
      .select('received_at')
      .where('id', '=', body.snapshotId)
      .executeTakeFirstOrThrow()
    const none = { alarm: null, alarm_at: null, alarm_snapshot_id: null, alarm_share: null, alarm_held: false }
    const change = body.expected ? { ...none, guard_since: received_at } : { alarm_held: true }
    await trx.updateTable('backups').set(change).where('id', '=', backup.id).execute()
    await auditBackup(command, 'backup.answerAlarm', {
      before: { change: backup.alarm },
      after: { expected: body.expected ? 'yes' : 'no' },
    })
    return {}
  })
}
