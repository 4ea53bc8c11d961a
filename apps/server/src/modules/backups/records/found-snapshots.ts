import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { listSnapshotFiles } from '../../vault/index.ts'
import { promisedPin } from '../rules/pin.ts'
import type { BackupRow } from '../tables.ts'

/**
 * Makes rows of snapshots that were found in the vault and that no row names: after the database was brought back from
 * a copy that is older. What each holds only its machine could say. Whether it was promised to stay is not known
 * either, so it is pinned as if it were. Says how many. Under the backup's lock, with no run open: one that is under
 * way may yet name its own.
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
        ...{ id: newId('sn'), backup_id: backup.id, owner: backup.owner, scheduled_for: null },
        kind: backup.has_repository || place > 0 ? ('Incremental' as const) : ('Fully' as const),
        ...{ state: 'Completed' as const, paths: JSON.stringify(backup.paths), restic_id: name },
        ...{ created_at: storedAt, received_at: storedAt, ended_at: storedAt, ...promisedPin(none, at) },
      })),
    )
    .execute()
  await trx.updateTable('backups').set({ has_repository: true }).where('id', '=', backup.id).execute()
  return unnamed.length
}
