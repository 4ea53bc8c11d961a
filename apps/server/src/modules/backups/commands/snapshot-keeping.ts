/** Pinning single snapshots, forgetting them by hand, and taking them back. */
import type { backupForget, backupPin, backupTakeBack } from '@atoll/contract/backups'
import type { CallBody } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { stopChore } from '../reconcile/chores.ts'
import { findOpenWork } from '../records/backup-store.ts'
import { forgetSnapshots } from '../records/kept-snapshots.ts'
import { noteHeld } from '../records/note-held.ts'
import { trashQuotaOf } from '../records/room.ts'
import { isPinned, promisedPin } from '../rules/pin.ts'
import type { SnapshotRow } from '../tables.ts'
import { auditBackup, type BackupCommand, requireLiving, runBackupCommand } from './backup-command.ts'

type None = Record<string, never>

/** From now on no rule removes it, or with `pinned` false the rules decide again. */
export async function pinSnapshot(deps: BackupDeps, caller: Caller, body: CallBody<typeof backupPin>): Promise<None> {
  return await runBackupCommand(deps, caller, { call: 'backupPin', body }, async (command) => {
    const { trx, at } = command
    const snapshot = await getKept(command, body.snapshotId)
    const pinned_at = body.pinned ? (snapshot.pinned_at ?? at) : null
    await trx.updateTable('snapshots').set({ pinned_at, pinned_until: null }).where('id', '=', snapshot.id).execute()
    await auditBackup(command, body.pinned ? 'backup.pin' : 'backup.unpin', { after: { snapshot: snapshot.id } })
    return {}
  })
}

/**
 * Forgets a snapshot at once, also while an alarm or damage suspends the rules, while the plan has no room, and when
 * the machine is gone. Refused only while it is being restored or drilled. `until`: it can be taken back until then; if
 * more trash arrives, for a shorter time, but never less than 24 h.
 */
export async function forgetSnapshot(
  deps: BackupDeps,
  caller: Caller,
  body: CallBody<typeof backupForget>,
): Promise<{ until: string }> {
  return await runBackupCommand(deps, caller, { call: 'backupForget', body }, async (command) => {
    const { trx, backup, at } = command
    const snapshot = await getKept(command, body.snapshotId)
    if (isPinned(snapshot, at) && body.name !== backup.name) refuse('snapshotPinned', { name: backup.name })
    const restore = await trx
      .selectFrom('restores')
      .select('id')
      .where((from) => from.or([from('snapshot_id', '=', snapshot.id), from('after_snapshot_id', '=', snapshot.id)]))
      .where('ended_at', 'is', null)
      .limit(1)
      .executeTakeFirst()
    const { chore } = await findOpenWork(trx, backup.id)
    if (restore || (chore?.kind === 'drill' && chore.snapshots.includes(snapshot.id))) refuse('snapshotInUse')
    // A check or prune covers the whole repository, and would miss this file halfway through.
    if (chore && chore.kind !== 'drill') await stopChore(deps, command, chore)
    await forgetSnapshots(deps, trx, backup, { by: 'owner', rows: [snapshot] })
    await auditBackup(command, 'backup.forget', { after: { snapshot: snapshot.id } })
    const quota = await trashQuotaOf(deps, trx, backup.owner)
    const asked = { repositoryId: backup.repo_id, owner: backup.owner, names: [snapshot.restic_id], quota }
    const until = (await deps.listTrashUntil(trx, asked)).get(snapshot.restic_id)
    return { until: (until ?? at).toISOString() }
  })
}

/** Its rules would soon remove it again: it is pinned for 30 days. */
export async function takeBackSnapshot(
  deps: BackupDeps,
  caller: Caller,
  body: CallBody<typeof backupTakeBack>,
): Promise<None> {
  return await runBackupCommand(deps, caller, { call: 'backupTakeBack', body }, async (command) => {
    const { trx, backup, at } = command
    requireLiving(backup)
    const snapshot = await getSnapshot(command, body.snapshotId)
    if (snapshot.forgotten_at === null || snapshot.restic_id === null) return refuse('snapshotNotForgotten')
    const { chore } = await findOpenWork(trx, backup.id)
    // It knows nothing of this snapshot, and would take what it needs.
    if (chore?.kind === 'prune') await stopChore(deps, command, chore)
    const file = { repositoryId: backup.repo_id, name: snapshot.restic_id }
    if (!(await deps.bringBackSnapshot(trx, file))) refuse('snapshotBytesGone')
    await trx
      .updateTable('snapshots')
      .set({ forgotten_at: null, ...promisedPin(snapshot, at) })
      .where('id', '=', snapshot.id)
      .execute()
    await noteHeld(deps, trx, backup)
    await auditBackup(command, 'backup.takeBack', { after: { snapshot: snapshot.id } })
    return {}
  })
}

async function getSnapshot({ trx, backup }: BackupCommand, id: string): Promise<SnapshotRow> {
  const row = await trx
    .selectFrom('snapshots')
    .selectAll()
    .where('id', '=', id)
    .where('backup_id', '=', backup.id)
    .executeTakeFirst()
  return row ?? refuse('notFound', { object: 'snapshot' })
}

async function getKept(command: BackupCommand, id: string): Promise<SnapshotRow & { restic_id: string }> {
  requireLiving(command.backup)
  const row = await getSnapshot(command, id)
  if (row.state !== 'Completed' || row.forgotten_at !== null || row.restic_id === null) refuse('snapshotNotKept')
  return { ...row, restic_id: row.restic_id ?? '' }
}
