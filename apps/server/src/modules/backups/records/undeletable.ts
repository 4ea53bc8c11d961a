import type { Db } from '../../../platform/db/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import type { BackupRow } from '../tables.ts'
import { trashQuotaOf } from './room.ts'

/** Until when the deletion of a backup can be taken back: 14 days, or sooner where its bytes go sooner. */
export async function undeletableUntil(
  { clock, vault, findTrashUntil }: Pick<BackupDeps, 'clock' | 'vault' | 'findTrashUntil'>,
  db: Db,
  { id, owner, repo_id: repositoryId, deleted_at }: Pick<BackupRow, 'id' | 'owner' | 'repo_id' | 'deleted_at'>,
): Promise<Date> {
  const end = deleted_at ?? clock.now()
  const quota = await trashQuotaOf({ vault }, db, owner)
  const until = await findTrashUntil(db, { repositoryId, owner, by: id, quota })
  return until && until < end ? until : end
}
