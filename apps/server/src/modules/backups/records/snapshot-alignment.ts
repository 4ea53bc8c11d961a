import type { Trx } from '../../../platform/db/index.ts'
import { listSnapshotFiles } from '../../vault/index.ts'
import { promisedPinMs } from '../rules/pin.ts'
import type { BackupRow } from '../tables.ts'

/**
 * Run after files of a repository were moved to the trash or back: a snapshot whose file is there can be restored, one
 * without counts as forgotten. Returns how many can be restored again.
 */
export async function alignSnapshots(trx: Trx, { id, repo_id }: BackupRow, at: Date): Promise<{ back: number }> {
  const there = (await listSnapshotFiles(trx, repo_id)).map(({ name }) => name)
  const rows = trx.updateTable('snapshots').where('backup_id', '=', id).where('state', '=', 'Completed')
  const back =
    there.length === 0
      ? []
      : await rows
          // The rules that removed them are still there.
          .set({ forgotten_at: null, pinned_at: at, pinned_until: new Date(at.getTime() + promisedPinMs) })
          .where('forgotten_at', 'is not', null)
          .where('restic_id', 'in', there)
          .returning('id')
          .execute()
  await rows
    .set({ forgotten_at: at })
    .where('forgotten_at', 'is', null)
    .$if(there.length > 0, (query) => query.where('restic_id', 'not in', there))
    .execute()
  return { back: back.length }
}
