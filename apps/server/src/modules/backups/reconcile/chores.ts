/** Rows of a machine's work for a backup, except runs and restores. */
import type { Reason } from '@atoll/contract/api'
import { newId } from '../../../platform/crypto.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { storeReason } from '../rules/reason-text.ts'
import type { ChoreRow } from '../tables.ts'
import { type BackupFacts, endTask } from './facts.ts'

type Place = Pick<BackupFacts, 'trx' | 'at' | 'backup'>

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

/**
 * Ends what a machine reads or prunes, because something that cannot wait changes the repository; its right ends with
 * it. It is no failure, so it is begun again as soon as it is due.
 */
export async function stopChore(deps: BackupDeps, place: Place, chore: ChoreRow): Promise<void> {
  await endTask(deps, place.trx, chore.task_id)
  await endChore(place, chore, null)
  if (chore.kind !== 'check' || place.backup.prove_state !== 'reading') return
  const again = { prove_state: 'asked', prove_since: place.at } as const
  await place.trx.updateTable('backups').set(again).where('id', '=', place.backup.id).execute()
}
