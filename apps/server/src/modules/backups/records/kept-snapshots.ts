/** Which snapshots of a backup are kept and which go: the one list that preview and execution both read. */
import { type KeepRules, leastKeptHours } from '@atoll/contract/backups'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { isPinned } from '../rules/pin.ts'
import { decideRetention, type HeldRetention } from '../rules/retention.ts'
import type { BackupRow, SnapshotRow } from '../tables.ts'
import { listKept } from './backup-store.ts'
import { noteHeld } from './note-held.ts'
import { findProof, listDrilled } from './proof-store.ts'
import { isShortOfRoom } from './room.ts'

export type KeptSnapshotRow = SnapshotRow & { restic_id: string; received_at: Date; at: Date }

export async function applyRetention(
  deps: Pick<BackupDeps, 'clock' | 'vault' | 'usageOf'>,
  db: Db,
  backup: BackupRow,
  rules: KeepRules = backup.keep,
): Promise<HeldRetention<KeptSnapshotRow>> {
  const now = deps.clock.now()
  const kept = (await listKept(db, backup.id)).map((row) => ({ ...row, at: row.received_at }))
  const { readAt } = await findProof(db, backup.id)
  const drilled = await listDrilled(db, backup.id, kept)
  // The newest that is known to come back; what comes after it is not, however often it runs.
  const proved = kept.find(({ id, received_at }) => drilled.has(id) || (readAt && received_at <= readAt))
  const restoringIds = await listRestored(db, backup.id, new Date(now.getTime() - leastKeptHours * 3600_000))
  return decideRetention(kept, rules, backup.time_zone, {
    now,
    provedId: proved?.id,
    restoringIds,
    pinnedIds: kept.filter((row) => isPinned(row, now)).map(({ id }) => id),
    // Snapshots that were forgotten before are pruned first, which may make enough room.
    isShort: !(await hasUnpruned(db, backup)) && (await isShortOfRoom(deps, db, backup)),
  })
}

/** Of snapshots that are being restored, or were since then: one that did not work out is tried again. */
async function listRestored(db: Db, backupId: string, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('restores')
    .select('snapshot_id')
    .where('backup_id', '=', backupId)
    .where((from) => from.or([from('ended_at', 'is', null), from('ended_at', '>', since)]))
    .execute()
  return rows.map(({ snapshot_id }) => snapshot_id)
}

/**
 * Whether bytes may be stored that no snapshot needs: something was forgotten, or a run ended half-way, even if it
 * was repeated.
 */
export async function hasUnpruned(db: Db, backup: BackupRow): Promise<boolean> {
  const since = backup.pruned_at ?? backup.created_at
  const row = await db
    .selectFrom('snapshots')
    .select('id')
    .where('backup_id', '=', backup.id)
    .where((from) =>
      from.or([
        from('forgotten_at', '>=', since),
        from('lost_at', '>=', since),
        from.and([
          from('state', 'in', ['Failed', 'Canceled']),
          from('started_at', 'is not', null),
          from('ended_at', '>=', since),
        ]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Forgets snapshots at once, in the vault itself: it is the one file that `restic forget` deletes. No machine has to be
 * there, and none has a right to delete a snapshot. Until its bytes go it can be taken back (`bringBackSnapshot`).
 */
export async function forgetSnapshots(
  deps: Pick<BackupDeps, 'clock' | 'vault' | 'usageOf' | 'onHeld'>,
  trx: Trx,
  backup: BackupRow,
  { by, rows }: { by: 'rules' | 'owner'; rows: readonly { id: string; restic_id: string }[] },
): Promise<void> {
  const names = rows.map(({ restic_id }) => restic_id)
  await deps.vault.forget(trx, { repositoryId: backup.repo_id, by, names })
  await trx
    .updateTable('snapshots')
    .set({ forgotten_at: deps.clock.now() })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  await noteHeld(deps, trx, backup)
}
