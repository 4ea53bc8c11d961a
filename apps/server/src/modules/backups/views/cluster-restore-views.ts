/** Data for the pages that create a cluster from a backup. */

import type { backupRestoring, backupSnapshot } from '@atoll/contract/backups'
import type { CallData, Locale } from '@atoll/contract/wire'
import { errorMessage } from '@atoll/texts/refusals'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { findOwnBackup } from '../records/backup-store.ts'
import { findRestoreOf } from '../records/cluster-restore-store.ts'
import { findLineage } from '../records/lineage-store.ts'
import { kinOf } from '../rules/kin.ts'
import { isPasswordRefused } from '../rules/password-refused.ts'
import type { SnapshotRow } from '../tables.ts'
import { restoreJson, snapshotJson } from './backup-json.ts'

export async function getSnapshot(
  deps: BackupDeps,
  owner: string,
  snapshotId: string,
  locale: Locale,
): Promise<CallData<typeof backupSnapshot>> {
  const { db, config } = deps
  const row = await findSnapshot(db, snapshotId)
  const backup = row && row.owner === owner ? await findOwnBackup(db, owner, row.backup_id) : undefined
  if (!row || !backup) return refuse('notFound', { object: 'snapshot' })
  const [named] = await deps.listClusterNames(db, [backup.cluster_id])
  const rate = await restoreRate(db, owner, backup.id)
  const isRestorable = row.state === 'Completed' && row.forgotten_at === null && backup.state !== 'deleting'
  const rival = await deps.findActiveCluster(db, kinOf(await findLineage(db, backup), undefined))
  return {
    backupId: backup.id,
    backupName: backup.name,
    clusterName: named?.clusterName ?? '',
    snapshot: snapshotJson(row, {
      task: undefined,
      proof: null,
      locale,
      at: deps.clock.now(),
      takeBackUntil: undefined,
    }),
    resticId: row.restic_id,
    seconds: rate === undefined || row.size === null ? null : Math.ceil(row.size / rate),
    refusal: !isRestorable
      ? errorMessage('snapshotNotRestorable', locale, {})
      : rival
        ? errorMessage('restoreGuarded', locale, { product: config.product })
        : null,
  }
}

/** Bytes a second of the owner's newest restore, else of the first run of this backup, which read as much. */
async function restoreRate(db: Db, owner: string, backupId: string): Promise<number | undefined> {
  const restored = await db
    .selectFrom('restores')
    .select(['size', 'started_at', 'ended_at'])
    .where('owner', '=', owner)
    .where('state', '=', 'Completed')
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const first = await db
    .selectFrom('snapshots')
    .select(['size', 'started_at', 'ended_at'])
    .where('backup_id', '=', backupId)
    .where('kind', '=', 'Fully')
    .where('state', '=', 'Completed')
    .limit(1)
    .executeTakeFirst()
  return [restored, first].map(rateOf).find((rate) => rate !== undefined)
}

function rateOf(row: Pick<SnapshotRow, 'size' | 'started_at' | 'ended_at'> | undefined): number | undefined {
  if (!row?.size || !row.started_at || !row.ended_at) return undefined
  // Start and end take a second or two whatever the size, so the rate of small restores means nothing.
  const seconds = (row.ended_at.getTime() - row.started_at.getTime()) / 1000
  return seconds > 0 ? row.size / seconds : undefined
}

export async function getRestoring(
  deps: BackupDeps,
  owner: string,
  clusterId: string,
  locale: Locale,
): Promise<CallData<typeof backupRestoring>> {
  const { db, agents } = deps
  const master = (await deps.listOwnMasters(db, owner)).find((each) => each.clusterId === clusterId)
  if (!master) return refuse('notFound', { object: 'cluster' })
  const row = await findRestoreOf(db, owner, clusterId)
  const backup = row && (await findOwnBackup(db, owner, row.backup_id))
  if (!row || !backup) return { restoring: null }
  const snapshot = await findSnapshot(db, row.snapshot_id)
  const [task] = await agents.listTasks(db, row.task_id === null ? [] : [row.task_id])
  const [agent] = await agents.listAgents(db, [master.instanceId])
  const shown = { ...row, snapshot_at: snapshot?.received_at ?? row.created_at, target_name: master.clusterName }
  return {
    restoring: {
      backupId: backup.id,
      backupName: backup.name,
      restore: restoreJson(shown, task, locale),
      files: snapshot?.files ?? null,
      size: snapshot?.size ?? null,
      refused: isPasswordRefused(row),
      key: agent?.backups?.key ?? null,
    },
  }
}

async function findSnapshot(db: Db, id: string): Promise<SnapshotRow | undefined> {
  return await db.selectFrom('snapshots').selectAll().where('id', '=', id).executeTakeFirst()
}
