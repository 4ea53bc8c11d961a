/** What is kept of a backup and what goes: the one list that preview and execution both read. */
import type { KeepRules } from '@atoll/contract/backups'
import type { Db } from '../../../platform/db/index.ts'
import { applyKeepRules, type Retention } from '../rules/retention.ts'
import { listKept } from './backup-store.ts'
import { listClusterRestores } from './cluster-restore-store.ts'
import { findProof, listDrilled } from './proof-store.ts'
import type { BackupRow, SnapshotRow } from './tables.ts'

export type KeptSnapshotRow = SnapshotRow & { restic_id: string; received_at: Date; at: Date }

export async function applyRetention(
  db: Db,
  backup: BackupRow,
  rules: KeepRules = backup.keep,
): Promise<Retention<KeptSnapshotRow>> {
  const kept = (await listKept(db, backup.id)).map((row) => ({ ...row, at: row.received_at }))
  const { readAt } = await findProof(db, backup.id)
  const drilled = await listDrilled(db, backup.id, kept)
  // The newest that is known to come back; what comes after it is not, however often it runs.
  const proved = kept.find(({ id, received_at }) => drilled.has(id) || (readAt && received_at <= readAt))
  const restoringIds = (await listClusterRestores(db, backup.id)).map(({ snapshot_id }) => snapshot_id)
  return applyKeepRules(kept, rules, backup.time_zone, { provedId: proved?.id, restoringIds })
}
