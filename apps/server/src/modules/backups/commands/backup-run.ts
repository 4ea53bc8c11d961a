/** Backing up now, canceling, restoring, and giving the password. */
import type { backupRestore } from '@atoll/contract/backups'
import type { CallBody } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { isElsewhere } from '../reconcile/drill-elsewhere.ts'
import { findOpenWork, insertRun } from '../records/backup-store.ts'
import { saveClusterBox } from '../records/cluster-restore-store.ts'
import type { SnapshotRow } from '../tables.ts'
import { auditBackup, type BackupCommand, type OfBackup, requireLiving, runBackupCommand } from './backup-command.ts'

type None = Record<string, never>
interface WithBox {
  box?: string | undefined
}

/** While a run is under way that one is answered. */
export async function runBackup(
  deps: BackupDeps,
  caller: Caller,
  body: OfBackup & WithBox,
): Promise<{ snapshotId: string }> {
  return await runBackupCommand(deps, caller, { call: 'backupRun', body }, async (command) => {
    const { trx, backup } = command
    requireLiving(backup)
    await requireCluster(deps, command)
    if (body.box !== undefined) await saveBox(command, body.box)
    const { run } = await findOpenWork(trx, backup.id)
    if (run) return { snapshotId: run.id }
    const snapshotId = await beginRun(command)
    await auditBackup(command, 'backup.run')
    return { snapshotId }
  })
}

async function beginRun({ trx, backup, at }: BackupCommand): Promise<string> {
  const id = await insertRun(trx, backup, { scheduledFor: null, at })
  if (id === undefined) throw new Error('A run without a slot was refused as if its slot were taken')
  return id
}

/** A task that its machine works at ends within seconds; what waits ends at once. */
export async function cancelRun(
  deps: BackupDeps,
  caller: Caller,
  body: OfBackup & { restoreId?: string | undefined; proof?: boolean | undefined },
): Promise<None> {
  return await runBackupCommand(deps, caller, { call: 'backupCancel', body }, async (command) => {
    const { trx, backup } = command
    if (body.proof) {
      await cancelProof(deps, command)
      return {}
    }
    const table = body.restoreId === undefined ? 'snapshots' : 'restores'
    const { numUpdatedRows } = await trx
      .updateTable(table)
      .set({ cancel_asked: true })
      .where('backup_id', '=', backup.id)
      .where('ended_at', 'is', null)
      .$if(body.restoreId !== undefined, (query) => query.where('id', '=', body.restoreId ?? ''))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) refuse('backupNothingRuns')
    await auditBackup(command, 'backup.cancel')
    return {}
  })
}

/** Gives the machine the password, for its next task; what waited for it goes on. */
export async function unlockBackup(
  deps: BackupDeps,
  caller: Caller,
  body: OfBackup & { clusterId: string; box: string },
): Promise<None> {
  return await runBackupCommand(deps, caller, { call: 'backupUnlock', body }, async (command) => {
    requireLiving(command.backup)
    // Sealed to the machine of that cluster: any other could not open it. A machine that was replaced gets the files
    // first, and keeps the password with them for the plan.
    if (await saveClusterBox(command.trx, command.backup.id, body)) await deps.wakeCluster(command.trx, body.clusterId)
    else if (command.backup.cluster_id === body.clusterId) await saveBox(command, body.box)
    else refuse('notFound', { object: 'backup' })
    await auditBackup(command, 'backup.unlock')
    return {}
  })
}

/**
 * Has the machine, which keeps the present password, use another one. One that waits for the machine is replaced; while
 * it is being changed another is refused.
 */
export async function changePassword(
  deps: BackupDeps,
  caller: Caller,
  body: OfBackup & { box: string },
): Promise<None> {
  return await runBackupCommand(deps, caller, { call: 'backupChangePassword', body }, async (command) => {
    const { trx, backup } = command
    requireLiving(backup)
    await requireCluster(deps, command)
    if (!backup.has_repository || backup.password !== 'kept') refuse('backupPasswordNotKept')
    const { chore } = await findOpenWork(trx, backup.id)
    if (chore?.kind === 'password') refuse('backupPasswordChanges')
    const wanted = { new_box: body.box, old_key: null, new_box_reason: null }
    await trx.updateTable('backups').set(wanted).where('id', '=', backup.id).execute()
    await auditBackup(command, 'backup.changePassword')
    return {}
  })
}

async function saveBox({ trx, backup }: BackupCommand, box: string): Promise<void> {
  await trx.updateTable('backups').set({ box, password: 'given' }).where('id', '=', backup.id).execute()
}

/** A restore that replaces files waits for a snapshot of the present files, which the reconciler starts. */
export async function restoreSnapshot(
  deps: BackupDeps,
  caller: Caller,
  body: CallBody<typeof backupRestore>,
): Promise<{ restoreId: string }> {
  return await runBackupCommand(deps, caller, { call: 'backupRestore', body }, async (command) => {
    const { trx, backup, at } = command
    requireLiving(backup)
    await requireCluster(deps, command, body.clusterId)
    const { restore } = await findOpenWork(trx, backup.id)
    if (restore) refuse('backupRestoreRuns')
    await getRestorable(trx, backup.id, body.snapshotId)
    const isPart = body.choice !== undefined
    const restoreId = newId('rs')
    await trx
      .insertInto('restores')
      .values({
        id: restoreId,
        backup_id: backup.id,
        snapshot_id: body.snapshotId,
        owner: backup.owner,
        way: body.way,
        state: 'Pending',
        box: body.box ?? null,
        choice: body.choice ?? null,
        created_at: at,
        ...(body.clusterId !== undefined &&
          body.clusterId !== backup.cluster_id && { reader_cluster_id: body.clusterId }),
      })
      .execute()
    await auditBackup(command, 'backup.restore', {
      after: { snapshot: body.snapshotId, way: body.way, ...(isPart && { part: true }) },
    })
    return { restoreId }
  })
}

/** The snapshot, or without an id the newest; refuses one that cannot be restored. */
export async function getRestorable(trx: Trx, backupId: string, snapshotId: string | undefined): Promise<SnapshotRow> {
  const snapshot = await trx
    .selectFrom('snapshots')
    .selectAll()
    .where('backup_id', '=', backupId)
    .$if(snapshotId !== undefined, (query) => query.where('id', '=', snapshotId ?? ''))
    .$if(snapshotId === undefined, (query) => query.where('state', '=', 'Completed').where('forgotten_at', 'is', null))
    .orderBy('received_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!snapshot) return refuse('notFound', { object: 'snapshot' })
  if (snapshot.state !== 'Completed' || snapshot.forgotten_at) refuse('snapshotNotRestorable')
  return snapshot
}

/** `of`: another of the owner's, in place of the backup's own. */
export async function requireCluster(
  deps: BackupDeps,
  { trx, backup }: BackupCommand,
  of = backup.cluster_id,
): Promise<void> {
  const masters = await deps.listOwnMasters(trx, backup.owner)
  if (!masters.some(({ clusterId }) => clusterId === of)) refuse('backupClusterGone')
}

/**
 * Ends the proof that is under way: work on the machine within seconds, a waiting request at once. A read by the store
 * cannot be ended.
 */
async function cancelProof(deps: BackupDeps, command: BackupCommand): Promise<void> {
  const { trx, backup } = command
  const { chore } = await findOpenWork(trx, backup.id)
  if (chore && isElsewhere(chore)) {
    // There may be no task yet; the next reconcile ends it, and its cluster with it.
    await trx.updateTable('backup_chores').set({ cancel_asked: true }).where('id', '=', chore.id).execute()
  } else if (chore?.task_id && (chore.kind === 'check' || chore.kind === 'drill')) {
    await deps.agents.cancelTask(trx, chore.task_id)
  } else if (backup.prove_state === 'asked') {
    await trx
      .updateTable('backups')
      .set({ prove_state: null, prove_since: null, prove_reason: null })
      .where('id', '=', backup.id)
      .execute()
  } else refuse('backupNothingRuns')
  await auditBackup(command, 'backup.cancelProof')
}
