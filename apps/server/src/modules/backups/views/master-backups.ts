/** The cluster's backups as read by the cluster's master, for the pages that it serves to its owner. */
import { type KeptBackups, mostKeptReported } from '@atoll/contract/agents'
import { refuse } from '../../../platform/refusal.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { listClusterBackups, listKept } from '../records/backup-store.ts'

export async function listKeptOfMaster(
  { db, proveMaster }: BackupDeps,
  proof: { instanceId: string; agentToken: string },
): Promise<KeptBackups> {
  const { clusterId } = (await proveMaster(db, proof)) ?? refuse('agentUnproven')
  const backups = await listClusterBackups(db, clusterId)
  backups.sort((a, b) => a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1))
  return await Promise.all(
    backups.map(async ({ id, name }) => ({
      backupId: id,
      name,
      snapshots: (await listKept(db, id)).slice(0, mostKeptReported).map((row) => ({
        snapshotId: row.restic_id,
        at: row.received_at.toISOString(),
        files: row.files ?? 0,
        bytes: row.size ?? 0,
      })),
    })),
  )
}
