/** Rows of what a machine does for a backup besides runs and restores. */
import type { Reason } from '@atoll/contract/api'
import { newId } from '../../../platform/crypto.ts'
import type { ChoreRow } from '../records/tables.ts'
import { storeReason } from './reason-text.ts'
import type { BackupWorld } from './world.ts'

type Place = Pick<BackupWorld, 'trx' | 'at' | 'backup'>

/** Begins one, about these snapshots. */
export async function insertChore(
  { trx, at, backup }: Place,
  snapshotIds: readonly string[],
  chore: Pick<ChoreRow, 'kind'> &
    Partial<Pick<ChoreRow, 'task_id' | 'part' | 'parts' | 'drill_cluster_id' | 'ended_at' | 'reason'>>,
): Promise<void> {
  const row = { id: newId('bc'), backup_id: backup.id, owner: backup.owner, created_at: at, ...chore }
  await trx
    .insertInto('backup_chores')
    .values({ ...row, snapshots: JSON.stringify(snapshotIds) })
    .execute()
}

/** `reason`: why it failed; null: it did not. */
export async function endChore({ trx, at }: Place, { id }: ChoreRow, reason: Reason | null): Promise<void> {
  const ended = { ended_at: at, reason: reason && storeReason(reason) }
  await trx.updateTable('backup_chores').set(ended).where('id', '=', id).execute()
}
