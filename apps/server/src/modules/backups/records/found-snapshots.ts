import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { listSnapshotFiles, type SnapshotFile } from '../../vault/index.ts'
import { promisedPin } from '../rules/pin.ts'
import type { BackupRow } from '../tables.ts'

/**
 * Adopts snapshots in the vault that have no row, after the database was restored from an older copy. Returns how many
 * there were. Called under the backup's lock, with no run open: a run under way may still report its own snapshot.
 */
export async function adoptFoundSnapshots(trx: Trx, backup: BackupRow, at: Date): Promise<number> {
  const unnamed = await listUnnamed(trx, backup, await listSnapshotFiles(trx, backup.repo_id))
  if (unnamed.length > 0) await insertFound(trx, backup, unnamed, at)
  return unnamed.length
}

/** Those of `files` that nobody is known to have brought and that have no row. */
export async function listUnnamed(
  trx: Trx,
  backup: BackupRow,
  files: readonly SnapshotFile[],
): Promise<SnapshotFile[]> {
  const found = files.filter(({ isFound }) => isFound)
  if (found.length === 0) return []
  const names = found.map(({ name }) => name)
  const rows = await trx
    .selectFrom('snapshots')
    .select('restic_id')
    .where('backup_id', '=', backup.id)
    .where('restic_id', 'in', names)
    .execute()
  const named = new Set(rows.map(({ restic_id }) => restic_id))
  return found.filter(({ name }) => !named.has(name))
}

/**
 * Writes their rows. Only the snapshot's machine could tell its content. It is also unknown whether the snapshot was
 * promised to stay, so it is pinned as if it were.
 */
export async function insertFound(
  trx: Trx,
  backup: BackupRow,
  unnamed: readonly SnapshotFile[],
  at: Date,
): Promise<void> {
  const none = { pinned_at: null, pinned_until: null }
  await trx
    .insertInto('snapshots')
    .values(
      unnamed.map(({ name, storedAt }, place) => ({
        id: newId('sn'),
        backup_id: backup.id,
        owner: backup.owner,
        scheduled_for: null,
        kind: backup.has_repository || place > 0 ? ('Incremental' as const) : ('Fully' as const),
        state: 'Completed' as const,
        paths: JSON.stringify(backup.paths),
        restic_id: name,
        created_at: storedAt,
        received_at: storedAt,
        ended_at: storedAt,
        ...promisedPin(none, at),
      })),
    )
    .execute()
  await trx.updateTable('backups').set({ has_repository: true }).where('id', '=', backup.id).execute()
}
