import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { listSnapshotFiles } from '../../vault/index.ts'
import { promisedPin } from '../rules/pin.ts'
import type { BackupRow } from '../tables.ts'

/**
 * Writes rows for snapshots in the vault that have none, after the database was restored from an older copy. Only the
 * snapshot's machine could tell its content. It is also unknown whether the snapshot was promised to stay, so it is
 * pinned as if it were. Returns how many were adopted. Called under the backup's lock, with no run open: a run under
 * way may still report its own snapshot.
 */
export async function adoptFoundSnapshots(trx: Trx, backup: BackupRow, at: Date): Promise<number> {
  const found = (await listSnapshotFiles(trx, backup.repo_id)).filter(({ isFound }) => isFound)
  if (found.length === 0) return 0
  const rows = await trx
    .selectFrom('snapshots')
    .select('restic_id')
    .where('backup_id', '=', backup.id)
    .where(
      'restic_id',
      'in',
      found.map(({ name }) => name),
    )
    .execute()
  const named = new Set(rows.map(({ restic_id }) => restic_id))
  const unnamed = found.filter(({ name }) => !named.has(name))
  if (unnamed.length === 0) return 0
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
  return unnamed.length
}
