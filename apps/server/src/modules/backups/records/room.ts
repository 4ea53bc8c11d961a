import type { Db } from '../../../platform/db/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import type { BackupRow } from '../tables.ts'

/** Runs whose new bytes tell how many the next one needs. */
const measuredRuns = 5

/** Bytes of trash that an account may have for more than a day; null: any amount. At the disk's reserve none. */
export async function trashQuotaOf(
  { vault }: Pick<BackupDeps, 'vault'>,
  db: Db,
  owner: string,
): Promise<number | null> {
  return (await vault.isAtReserve(db)) ? 0 : await vault.quotaOf(owner)
}

/**
 * Whether the plan of the account has no room for the next run of this backup: it would need more than is free, by the
 * largest of its newest incremental runs, or its newest run failed for that and nothing was pruned since.
 */
export async function isShortOfRoom(
  { vault, usageOf }: Pick<BackupDeps, 'vault' | 'usageOf'>,
  db: Db,
  { id, owner, pruned_at }: Pick<BackupRow, 'id' | 'owner' | 'pruned_at'>,
): Promise<boolean> {
  const most = await vault.quotaOf(owner)
  if (most === null) return false
  const ended = db
    .selectFrom('snapshots')
    .select(['state', 'ended_at', 'reason', 'new_bytes'])
    .where('backup_id', '=', id)
    .orderBy('ended_at', 'desc')
  const newest = await ended.where('ended_at', 'is not', null).limit(1).executeTakeFirst()
  const isRefused = newest?.state === 'Failed' && newest.reason?.includes('"backupQuotaFull"')
  if (isRefused && newest.ended_at && (!pruned_at || pruned_at < newest.ended_at)) return true
  const runs = await ended
    .where('state', '=', 'Completed')
    .where('kind', '=', 'Incremental')
    .limit(measuredRuns)
    .execute()
  const needed = Math.max(0, ...runs.map(({ new_bytes }) => new_bytes ?? 0))
  const { liveBytes, reservedBytes, trashBytes } = await usageOf(db, { accountId: owner })
  // As the vault holds an upload against the quota.
  return liveBytes + reservedBytes + Math.max(trashBytes - most, 0) + needed > most
}
