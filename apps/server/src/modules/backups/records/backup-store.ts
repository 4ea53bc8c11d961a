import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import * as reconciler from '../../../platform/reconcile/index.ts'
import type { BackupRow, ChoreRow, RestoreRow, SnapshotRow } from '../tables.ts'
import '../tables.ts'

export const reconcileJob = 'backup.reconcile'

/** Has a backup reconciled: something was asked of it, or was reported. */
export async function enqueueReconcile(trx: Db | Trx, backupId: string): Promise<void> {
  await reconciler.enqueueReconcile(trx, reconcileJob, backupId)
}

function ownBackups(db: Db, owner: string) {
  return db.selectFrom('backups').selectAll().where('owner', '=', owner).where('state', '<>', 'deleted')
}

/** The backup of this very account, locked until the transaction ends. */
export async function lockOwnBackup(trx: Trx, owner: string, id: string): Promise<BackupRow | undefined> {
  return await ownBackups(trx, owner).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export async function lockBackup(trx: Trx, id: string): Promise<BackupRow | undefined> {
  return await trx.selectFrom('backups').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export async function findOwnBackup(db: Db, owner: string, id: string): Promise<BackupRow | undefined> {
  return await ownBackups(db, owner).where('id', '=', id).executeTakeFirst()
}

/** Oldest first. */
export async function listOwnBackups(db: Db, owner: string): Promise<BackupRow[]> {
  return await ownBackups(db, owner).orderBy('created_at').orderBy('id').execute()
}

/** When each of an account's backups last completed; those that are being deleted are left out. */
export async function listLastCompleted(
  db: Db,
  owner: string,
): Promise<{ backupId: string; clusterId: string; completedAt: Date | null }[]> {
  return await db
    .selectFrom('backups as b')
    .leftJoin('snapshots as s', (join) => join.onRef('s.backup_id', '=', 'b.id').on('s.state', '=', 'Completed'))
    .select((eb) => ['b.id as backupId', 'b.cluster_id as clusterId', eb.fn.max('s.received_at').as('completedAt')])
    .where('b.owner', '=', owner)
    .where('b.state', 'in', ['active', 'paused'])
    .groupBy(['b.id', 'b.cluster_id'])
    .orderBy('b.id')
    .execute()
}

/** Those of a cluster that are not deleted; one that is being deleted gives its slot and its name free. */
export async function listClusterBackups(db: Db, clusterId: string): Promise<BackupRow[]> {
  return await db
    .selectFrom('backups')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('state', 'in', ['active', 'paused'])
    .execute()
}

export async function findLivingBackup(db: Db, id: string): Promise<BackupRow | undefined> {
  return await db
    .selectFrom('backups')
    .selectAll()
    .where('id', '=', id)
    .where('state', 'in', ['active', 'paused'])
    .executeTakeFirst()
}

/** Work under way for a backup on its machine, or a restore on another that reads it; at most one of each kind. */
export interface OpenWork {
  run: SnapshotRow | undefined
  restore: RestoreRow | undefined
  chore: ChoreRow | undefined
}

export async function findOpenWork(db: Db, backupId: string): Promise<OpenWork> {
  const run = await db
    .selectFrom('snapshots')
    .selectAll()
    .where('backup_id', '=', backupId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  const restore = await db
    .selectFrom('restores')
    .selectAll()
    .where('backup_id', '=', backupId)
    .where('way', '<>', 'newCluster')
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  const chore = await db
    .selectFrom('backup_chores')
    .selectAll()
    .where('backup_id', '=', backupId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return { run, restore, chore }
}

/** A run that waits to be sent; undefined where the slot has had one. Under the backup's lock, with no run open. */
export async function insertRun(
  trx: Trx,
  backup: BackupRow,
  { scheduledFor, at }: { scheduledFor: Date | null; at: Date },
): Promise<string | undefined> {
  const row = await trx
    .insertInto('snapshots')
    .values({
      id: newId('sn'),
      backup_id: backup.id,
      owner: backup.owner,
      kind: backup.has_repository ? 'Incremental' : 'Fully',
      state: 'Pending',
      scheduled_for: scheduledFor,
      paths: JSON.stringify(backup.paths),
      created_at: at,
    })
    .onConflict((conflict) => conflict.columns(['backup_id', 'scheduled_for']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** The backup whose run, restore or chore this task is. */
export async function findBackupOfTask(db: Db, taskId: string): Promise<{ id: string; owner: string } | undefined> {
  const of = (table: 'snapshots' | 'restores' | 'backup_chores') =>
    db.selectFrom(table).select(['backup_id as id', 'owner']).where('task_id', '=', taskId)
  const resealed = db
    .selectFrom('backup_chores')
    .select(['backup_id as id', 'owner'])
    .where('reseal_task_id', '=', taskId)
  const chores = of('backup_chores').unionAll(resealed)
  return await of('snapshots').unionAll(of('restores')).unionAll(chores).executeTakeFirst()
}

/** Completed and still kept, newest first. */
export async function listKept(
  db: Db,
  backupId: string,
): Promise<(SnapshotRow & { restic_id: string; received_at: Date })[]> {
  return await db
    .selectFrom('snapshots')
    .selectAll()
    .where('backup_id', '=', backupId)
    .where('state', '=', 'Completed')
    .where('forgotten_at', 'is', null)
    .orderBy('received_at', 'desc')
    .$narrowType<{ restic_id: string; received_at: Date }>()
    .execute()
}

export async function countSentRuns(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('snapshots')
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('ended_at', 'is', null)
    .where('state', '<>', 'Pending')
    .executeTakeFirstOrThrow()
  return count
}
