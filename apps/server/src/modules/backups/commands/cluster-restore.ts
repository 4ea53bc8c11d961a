/**
 * Clusters that are made for a snapshot, as the module clusters asks for them. The order begins the restore, the
 * reconciler of backups sends it, and the one of clusters follows what became of it (design/backups, "Restore").
 */
import type { Reason } from '@atoll/contract/api'
import { Reason as StoredReason } from '@atoll/contract/api'
import { fitsDisk } from '@atoll/contract/backups'
import type { Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { AskedRestore, ClusterRestores, MadeForRestore } from '../../clusters/index.ts'
import { endGrants } from '../../vault/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { findOwnBackup, lockBackup } from '../records/backup-store.ts'
import {
  type ClusterRestoreRow,
  endClusterRestore,
  findRestoreOf,
  insertClusterRestore,
  listRestoresById,
} from '../records/cluster-restore-store.ts'
import { findLineage, listLineages } from '../records/lineage-store.ts'
import { kinOf, kinOfCluster } from '../rules/kin.ts'
import { isPasswordRefused } from '../rules/password-refused.ts'
import { auditBackup, enqueueAndPublish, requireLiving } from './backup-command.ts'
import { getRestorable } from './backup-run.ts'

type RestoreDeps = Pick<BackupDeps, 'clock' | 'config' | 'findActiveCluster'>

export function clusterRestores(deps: RestoreDeps): ClusterRestores {
  return {
    async begin(trx, by, { offering, ...asked }) {
      const { userid: owner } = by
      const { clusterId, backupId } = asked
      const { backup, snapshot } = await getSource(deps, trx, { owner, ...asked })
      if (offering && !fitsDisk(snapshot.size ?? 0, offering.diskMiB))
        refuse('restoreTooLarge', { offering: offering.name })
      const at = deps.clock.now()
      // Another machine takes the place of one that was lost before it had its files.
      await endOpen(trx, { owner, clusterId, at })
      const id = await insertClusterRestore(trx, {
        backupId,
        snapshotId: snapshot.id,
        owner,
        clusterId,
        at,
        needsPassword: true,
      })
      await auditBackup({ trx, caller: by, backup }, 'backup.restore', {
        after: { snapshot: snapshot.id, way: 'newCluster' },
      })
      await enqueueAndPublish(trx, backup)
      return id
    },
    check: async (trx, asked) => void (await getSource(deps, trx, asked)),
    async again(trx, id) {
      const [before] = await listRestoresById(trx, [id])
      if (!before) throw new Error(`An instance is made for the restore ${id}, which is not there`)
      if (before.ended_at === null) return id
      const { backup_id: backupId, snapshot_id: snapshotId, owner, target_cluster_id: clusterId } = before
      const at = deps.clock.now()
      const restore = { backupId, snapshotId, owner, clusterId, at, needsPassword: false }
      const again = await insertClusterRestore(trx, restore)
      await enqueueAndPublish(trx, { id: backupId, owner })
      return again
    },
    end: (trx, of) => endOpen(trx, { ...of, at: deps.clock.now() }),
    listKin: async (db, { owner, clusterId }) => kinOfCluster(await listLineages(db, owner), clusterId),
    list: async (db, ids) => (await listRestoresById(db, ids)).map(toMadeFor),
  }
}

/** Ends the restore that is open on a cluster, and its right to the repository. */
async function endOpen(trx: Trx, of: { owner: string; clusterId: string; at: Date }): Promise<void> {
  const open = await findRestoreOf(trx, of.owner, of.clusterId)
  if (!open || open.ended_at !== null) return
  // The reconciler locks the backup first; its restore and the task of that follow.
  await lockBackup(trx, open.backup_id)
  const ended = await endClusterRestore(trx, of)
  if (ended && ended.task_id !== null) await endGrants(trx, { taskId: ended.task_id }, of.at)
  await enqueueAndPublish(trx, { id: open.backup_id, owner: of.owner })
}

/** The snapshot to create a cluster from. Refuses one that does not exist or conflicts with an active cluster. */
async function getSource(
  deps: RestoreDeps,
  trx: Trx,
  { owner, clusterId, backupId, snapshotId }: AskedRestore & { owner: string },
) {
  const backup = await findOwnBackup(trx, owner, backupId)
  if (!backup) return refuse('notFound', { object: 'backup' })
  requireLiving(backup)
  const rival = await deps.findActiveCluster(trx, kinOf(await findLineage(trx, backup), clusterId))
  if (rival) refuse('restoreGuarded', { product: deps.config.product })
  return { backup, snapshot: await getRestorable(trx, backupId, snapshotId) }
}

function toMadeFor(row: ClusterRestoreRow): MadeForRestore {
  const { id, state, ended_at } = row
  if (state === 'Completed') return { id, state: 'done', reason: null }
  if (state === 'Canceled') return { id, state: 'failed', reason: { key: 'backupRestoreEnded' } }
  if (ended_at !== null) return { id, state: 'failed', reason: readReason(row.reason) }
  if (isPasswordRefused(row)) return { id, state: 'refused', reason: readReason(row.reason) }
  return { id, state: 'open', reason: null }
}

function readReason(stored: string | null): Reason | null {
  return stored === null ? null : StoredReason.parse(JSON.parse(stored))
}
