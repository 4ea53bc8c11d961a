import type { Trx } from '../../../platform/db/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { applyRetention, hasUnpruned } from '../records/kept-snapshots.ts'
import { isShortOfRoom } from '../records/room.ts'
import type { BackupRow, ChoreRow } from '../tables.ts'
import type { EndedChore, Upkeep } from './facts.ts'

/** Finds what may be forgotten and pruned, where `mayMaintain` allows it. */
export async function loadUpkeep(deps: BackupDeps, trx: Trx, backup: BackupRow): Promise<Upkeep> {
  const { remove } = await applyRetention(deps, trx, backup)
  const isUnpruned = backup.has_repository && (await hasUnpruned(trx, backup))
  return {
    remove: remove.map(({ snapshot }) => snapshot),
    lastPrune: isUnpruned ? await findLastChore(trx, backup, 'prune') : undefined,
    unpruned: isUnpruned
      ? {
          isShort: await isShortOfRoom(deps, trx, backup),
          isAtReserve: await deps.vault.isAtReserve(trx),
          maxMoved: await deps.vault.pruneRoom(trx, backup.owner),
        }
      : undefined,
  }
}

export async function findLastChore(trx: Trx, { id }: BackupRow, kind: ChoreRow['kind']): Promise<EndedChore> {
  return await trx
    .selectFrom('backup_chores')
    .select(['reason', 'ended_at'])
    .where('backup_id', '=', id)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}
