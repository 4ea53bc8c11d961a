import type { Db } from '../../../platform/db/index.ts'
import { listKept, listOwnBackups } from '../records/backup-store.ts'

/**
 * An account's backups with their snapshots, and the command that restores each: with the right and the password that
 * its owner has, neither of which stands here.
 */
export async function describeBackupFiles(db: Db, { owner, vaultUrl }: { owner: string; vaultUrl: string }) {
  return await Promise.all(
    (await listOwnBackups(db, owner)).map(async (backup) => ({
      backupId: backup.id,
      name: backup.name,
      clusterId: backup.cluster_id,
      state: backup.state,
      paths: backup.paths,
      schedule: backup.schedule,
      keep: backup.keep,
      repository: `rest:${vaultUrl}/${backup.repo_id}/`,
      access: 'Ask for a right to read on the page of the backup; it names the repository with it.',
      snapshots: (await listKept(db, backup.id)).map(({ restic_id: snapshot, received_at: at, paths }) => ({
        snapshot,
        at: at.toISOString(),
        paths,
        restore: `restic -r "$REPOSITORY" restore ${snapshot} --target ./restored`,
      })),
    })),
  )
}
