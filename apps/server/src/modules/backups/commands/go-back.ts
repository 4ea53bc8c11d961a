/**
 * Taking what is stored of a backup back to before a right that was given: after its machine was taken over and wrote
 * what makes the history unreadable. The owner and the operator can, and either can undo it.
 */
import type { backupGoBack } from '@atoll/contract/backups'
import type { CallBody } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { recordAudit } from '../../audit/index.ts'
import { goBack, undoReturn } from '../../vault/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { lockBackup } from '../records/backup-store.ts'
import { noteHeld } from '../records/note-held.ts'
import { alignSnapshots } from '../records/snapshot-alignment.ts'
import type { BackupRow } from '../tables.ts'
import { askToEnd } from './backup-change.ts'
import { auditBackup, enqueueAndPublish, type OfBackup, requireLiving, runBackupCommand } from './backup-command.ts'

interface Moved {
  /** Files that are trash now, and that are there again. */
  trashed: number
  restored: number
}

export async function goBackOwn(deps: BackupDeps, caller: Caller, body: CallBody<typeof backupGoBack>): Promise<Moved> {
  return await runBackupCommand(deps, caller, { call: 'backupGoBack', body }, async (command) => {
    const { trx, backup, at } = command
    requireLiving(backup)
    const moved = await moveBack(trx, backup, body.grantId, at)
    await noteHeld(deps, trx, backup)
    await auditBackup(command, 'backup.goBack')
    return moved
  })
}

export async function undoGoBackOwn(deps: BackupDeps, caller: Caller, body: OfBackup): Promise<Record<string, never>> {
  return await runBackupCommand(deps, caller, { call: 'backupUndoGoBack', body }, async (command) => {
    const { trx, backup, at } = command
    requireLiving(backup)
    await undo(trx, backup, at)
    await noteHeld(deps, trx, backup)
    await auditBackup(command, 'backup.undoGoBack')
    return {}
  })
}

/** For the operator; undefined: no such backup, or its owner deleted it. `grantId` absent: undoes the last time. */
export async function goBackAsOperator(
  db: Db,
  { backupId, grantId, at }: { backupId: string; grantId?: string | undefined; at: Date },
): Promise<Moved | 'undone' | undefined> {
  return await db.transaction().execute(async (trx) => {
    const backup = await lockBackup(trx, backupId)
    if (!backup || backup.state === 'deleting' || backup.state === 'deleted') return undefined
    const moved = grantId === undefined ? await undo(trx, backup, at) : await moveBack(trx, backup, grantId, at)
    await recordAudit(trx, {
      actor: 'system',
      ip: null,
      action: grantId === undefined ? 'backup.undoGoBack' : 'backup.goBack',
      object: { kind: 'backup', id: backup.id, owner: backup.owner, name: backup.name },
    })
    await enqueueAndPublish(trx, backup)
    return moved
  })
}

async function moveBack(trx: Trx, backup: BackupRow, grantId: string, at: Date): Promise<Moved> {
  const went = await goBack(trx, { repositoryId: backup.repo_id, grantId }, at)
  if (went === 'unknown') return refuse('notFound', { object: 'grant' })
  if (went === 'nothingBefore') return refuse('backupNothingBefore')
  if ('gone' in went) return refuse('backupHistoryGone', { files: went.gone.files, bytes: went.gone.bytes })
  // All rights to it ended: no run can go on.
  await askToEnd(trx, backup)
  await alignSnapshots(trx, backup, at)
  return { trashed: went.trashed, restored: went.restored }
}

async function undo(trx: Trx, backup: BackupRow, at: Date): Promise<'undone'> {
  if (!(await undoReturn(trx, backup.repo_id, at))) refuse('backupNoReturn')
  await alignSnapshots(trx, backup, at)
  return 'undone'
}
